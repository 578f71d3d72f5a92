"""Where the fuzz runs: in a folder of its own, with what its command lines name."""

from pathlib import Path

import pytest
from hypothesis.configuration import set_hypothesis_home_dir
from workplace import furnish


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    # Hypothesis keeps things of its own; nothing of them belongs into the tree.
    set_hypothesis_home_dir(tmp_path_factory.mktemp("hypothesis"))
    furnish(folder)
    return folder
