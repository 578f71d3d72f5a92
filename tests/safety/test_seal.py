"""A sealed file is a Parquet file like any other, and tells of every changed bit."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stand_in import rows_of

from sim.schema import DEAL_SCHEMA
from sim.seal import (
    SEALED_KEY,
    SealedFile,
    SealError,
    check_seal,
    is_sealed,
    read_footer,
)

ROWS = rows_of(1, 60)
TABLE = pa.table({name: ROWS[name] for name in ROWS.dtype.names})


def parquet(sealed: bool, key: bool = True) -> bytes:
    """A small file, two row groups, with a seal or without."""
    out = io.BytesIO()
    file = SealedFile(out) if sealed else out
    metadata = {**DEAL_SCHEMA.metadata, **({SEALED_KEY: b"1"} if key else {})}
    schema = TABLE.schema.with_metadata(metadata)
    writer = pq.ParquetWriter(file, schema, write_page_checksum=True)
    for start in (0, 30):
        writer.write_table(TABLE.slice(start, 30).cast(schema))
    if not sealed:
        writer.close()
        return out.getvalue()
    file.hold()
    writer.close()
    file.seal()
    return out.getvalue()


WHOLE = parquet(sealed=True)


def told(data: bytes) -> str:
    """What is wrong with a file's bytes; nothing if they are as written."""
    try:
        file = io.BytesIO(data)
        if not is_sealed(read_footer(file)):
            return "unsealed"
        check_seal(file)
    except SealError as error:
        return str(error)
    return ""


def test_a_sealed_file_is_read_as_any_other(tmp_path):
    path = tmp_path / "x.parquet"
    path.write_bytes(WHOLE)
    assert pq.read_table(path, page_checksum_verification=True).equals(TABLE)
    with path.open("rb") as file:
        footer = read_footer(file)
        check_seal(file)
    there, here = pq.read_metadata(path), pq.read_metadata(pa.BufferReader(footer))
    assert there.num_rows == here.num_rows == 60
    assert there.serialized_size == here.serialized_size


def test_duckdb_reads_a_sealed_file(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "x.parquet"
    path.write_bytes(WHOLE)
    asked = f"SELECT count(*), sum(deal_index) FROM '{path}'"
    assert duckdb.sql(asked).fetchall() == [(60, 60 * 59 // 2)]


def test_every_changed_bit_is_told():
    """One bit of each byte, and every bit of the last two hundred bytes."""
    assert told(WHOLE) == ""
    chance = np.random.default_rng(1)
    for place in range(len(WHOLE)):
        bits = range(8) if place > len(WHOLE) - 200 else chance.integers(0, 8, 1)
        for bit in bits:
            data = bytearray(WHOLE)
            data[place] ^= 1 << int(bit)
            assert told(bytes(data)), (place, bit)


def test_every_length_is_told():
    for length in range(len(WHOLE)):
        assert told(WHOLE[:length]), length
    assert told(WHOLE + b"x")


def test_a_file_without_a_seal_is_told_apart():
    assert told(parquet(sealed=False, key=False)) == "unsealed"


def test_a_seal_that_was_cut_out_is_told():
    assert told(parquet(sealed=False)) == "has a changed seal"


def test_the_footer_alone_is_verified_at_once():
    """Without reading the pages: those have checksums of their own."""
    footer = read_footer(io.BytesIO(WHOLE))
    start = len(WHOLE) - len(footer)
    for place in range(start, len(WHOLE), 7):
        data = bytearray(WHOLE)
        data[place] ^= 0x10
        with pytest.raises(SealError):
            read_footer(io.BytesIO(bytes(data)))
    data = bytearray(WHOLE)
    data[100] ^= 0x10
    assert read_footer(io.BytesIO(bytes(data))) == footer
