"""Run the commands that README shows and put their real output under them.

    python tests/regen_readme.py

Blocks marked `console` start with one command. What it prints to standard output
replaces the rest of the block, after `<!-- 28 lines -->` only its first 28 lines.
Installing is left out: it has been done.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(<!-- (\d+) lines -->\n)?```console\n\$ (.*)\n(?:.*\n)*?```\n")
INSTALLING = re.compile(r"pip install \S+ && (?:pytest)?")


def show(block: re.Match[str]) -> str:
    """A block with its command's output."""
    mark, lines, shown = block[1] or "", block[2], block[3]
    command = INSTALLING.sub("", shown)
    output = ""
    if command:
        done = subprocess.run(
            command, shell=True, cwd=ROOT, check=True, capture_output=True, text=True
        )
        output = done.stdout
        if lines:
            kept = output.splitlines(keepends=True)[: int(lines)]
            output = "".join(kept) + "...\n"
    return f"{mark}```console\n$ {shown}\n{output}```\n"


if __name__ == "__main__":
    README.write_text(BLOCK.sub(show, README.read_text("utf-8")), "utf-8")
