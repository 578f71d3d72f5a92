"""Options of the whole test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow",
        action="store_true",
        help="also run the tests marked slow: many deals, statistical checks",
    )
    parser.addoption(
        "--regen-golden",
        action="store_true",
        help="write what is played now over the golden files; say why in the commit",
    )
    parser.addoption(
        "--fuzz",
        type=int,
        metavar="N",
        help="inputs of each kind that the fuzz tries, other ones each time",
    )


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
