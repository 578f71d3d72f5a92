"""The seal of a part's file: two hashes, between its pages and its footer.

Parquet's checksums cover what is in pages. They do not cover pages' headers, nor the
footer, which says where the pages are and what they mean: a bit changed there may be
noticed by a reader, or not. So a file says of itself what its bytes were: the hash of
its footer, quickly verified whenever it is opened, and the hash of all before it, for
who wants to know whether every bit is as it was written (`shengji check`). Readers of
Parquet look where the footer says, and never between pages and footer. In the file
itself the seal is there when the part is, whoever wrote it and whatever became of him
afterwards: a list elsewhere may be late, or lost.

    PAR1, pages | MARK, SHA-256 of the footer, SHA-256 of what is before and of that |
    footer, its length, PAR1
"""

import hashlib
from typing import BinaryIO

MARK = b"shengji seal 1: "
DIGEST = hashlib.sha256().digest_size
SEAL = len(MARK) + 2 * DIGEST
MAGIC = b"PAR1"
ENDING = 4 + len(MAGIC)  # bytes: the length of the footer, and the magic
SEALED_KEY = b"shengji.seal"  # of the footer's metadata: such a file has a seal


class SealError(Exception):
    """A file's bytes are not those that were written."""

    def __init__(self, text: str, cut_off: bool = False):
        super().__init__(text)
        self.cut_off = cut_off


class SealedFile:
    """What a Parquet writer writes to in place of the file, so that it gets its seal.

    `hold` before the writer is closed, `seal` afterwards.
    """

    def __init__(self, file: BinaryIO):
        self.file, self.closed = file, False
        self.hash = hashlib.sha256()
        self.held: bytearray | None = None
        self.written = 0  # as the writer counts

    def write(self, data: bytes) -> int:
        self.written += len(data)
        if self.held is not None:
            self.held += data
        else:
            self.pass_on(data)
        return len(data)

    def pass_on(self, data: bytes) -> None:
        self.hash.update(data)
        self.file.write(data)

    def hold(self) -> None:
        """From here on nothing is passed on: what comes ends with the footer."""
        self.held = bytearray()

    def seal(self) -> None:
        """Write what was held, and the seal in its place."""
        size = footer_size(self.held)
        self.pass_on(self.held[:-size])
        footer = self.held[-size:]
        digest = hashlib.sha256(footer).digest()
        self.hash.update(digest)
        self.file.write(MARK + digest + self.hash.digest() + footer)

    def tell(self) -> int:
        return self.written

    def flush(self) -> None: ...

    def close(self) -> None:
        self.closed = True


def footer_size(ending: bytes) -> int:
    """Bytes of the footer of a file with such an end, its length and magic included."""
    if len(ending) < ENDING or ending[-len(MAGIC) :] != MAGIC:
        raise SealError("does not end as a Parquet file", cut_off=True)
    return int.from_bytes(ending[-ENDING : -len(MAGIC)], "little") + ENDING


def read_footer(file: BinaryIO) -> bytes:
    """The footer of an open file, length and magic included: verified, if sealed.

    It may be given to a reader of Parquet metadata in place of the file.
    """
    end = file.seek(0, 2)
    file.seek(max(0, end - ENDING))
    size = footer_size(file.read())
    if size + len(MAGIC) > end:
        raise SealError("is shorter than its footer says", cut_off=True)
    file.seek(max(0, end - size - SEAL))
    ending = file.read()
    footer, seal = ending[-size:], ending[:-size]
    if seal.startswith(MARK):
        if hashlib.sha256(footer).digest() != seal[len(MARK) : -DIGEST]:
            raise SealError("has a changed footer")
    elif SEALED_KEY in footer:
        raise SealError("has a changed seal")
    return footer


def is_sealed(footer: bytes) -> bool:
    """Whether the file of a verified footer has a seal; older ones have none."""
    return SEALED_KEY in footer


def check_seal(file: BinaryIO) -> None:
    """Refuse a sealed file if any bit of it is not as it was written."""
    footer = read_footer(file)
    left = file.seek(0, 2) - len(footer) - SEAL
    found = hashlib.sha256()
    file.seek(0)
    while left:
        piece = file.read(min(left, 1 << 20))
        found.update(piece)
        left -= len(piece)
    seal = file.read(SEAL)
    found.update(seal[len(MARK) : -DIGEST])
    if found.digest() != seal[-DIGEST:]:
        raise SealError("has changed bytes")
