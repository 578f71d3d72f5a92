"""The folder in which the fuzz works: files that its command lines speak of."""

from pathlib import Path

from inside import shengji


def furnish(folder: Path) -> None:
    """Put into a folder what the words of `command_words` name."""
    for name in ("folder", "folder.toml"):
        (folder / name).mkdir()
    for name in ("empty", "empty.toml"):
        (folder / name).touch()
    for name in ("binary", "binary.toml"):
        (folder / name).write_bytes(bytes(range(256)) * 4)
    (folder / "file.toml").write_text('base = "menghuan"\n', "utf-8")
    for made in (
        ("run", "menghuan", "-n3", "-o", str(folder / "run")),
        ("record", "menghuan", "-n1", "-o", str(folder / "deals.jsonl")),
    ):
        outcome = shengji(*made)
        assert outcome.code == 0, outcome
