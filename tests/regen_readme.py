"""Run the commands that README shows and put their real output under them.

    python tests/regen_readme.py

Blocks marked `console` start with one command. What it prints to standard output
replaces the rest of the block. Installing is left out: it has been done.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ (.*)\n(?:.*\n)*?```\n")
INSTALLING = re.compile(r"pip install \S+ && (?:pytest)?")


def show(block: re.Match[str]) -> str:
    """A block with its command's output."""
    command = INSTALLING.sub("", block[1])
    output = ""
    if command:
        done = subprocess.run(
            command, shell=True, cwd=ROOT, check=True, capture_output=True, text=True
        )
        output = done.stdout
    return f"```console\n$ {block[1]}\n{output}```\n"


if __name__ == "__main__":
    README.write_text(BLOCK.sub(show, README.read_text("utf-8")), "utf-8")
