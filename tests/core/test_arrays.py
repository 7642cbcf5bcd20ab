"""Files of arrays are checked before they are read: types, shapes, lengths that must agree, and what they unpack to."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from kibitz.core.arrays import Column, read_arrays, read_label
from kibitz.core.errors import BadRecord

COLUMNS = {
    "key": Column("i8", ("rows",)),
    "offset": Column("i8", ("rows+1",), 0),
    "policy": Column("f8|f4", ("entries", 2), 0.0, 1.0),
    "mark": Column("b1", ()),
}


def good() -> dict[str, np.ndarray]:
    return {
        "key": np.arange(3),
        "offset": np.arange(4),
        "policy": np.full((5, 2), 0.5, np.float32),
        "mark": np.array(True),
    }


def saved(folder: Path, **changes: object) -> Path:
    path = folder / "x.npz"
    np.savez_compressed(path, **{name: one for name, one in {**good(), **changes}.items() if one is not None})  # type: ignore[arg-type]
    return path


def test_what_numpy_wrote_is_read(tmp_path: Path) -> None:
    found = read_arrays(saved(tmp_path, policy=np.asfortranarray(np.eye(2))), COLUMNS)
    assert found["policy"].dtype == np.float64 and np.array_equal(found["policy"], np.eye(2))
    assert found["key"].tolist() == [0, 1, 2] and found["mark"].shape == () and found["key"].flags.writeable
    assert read_arrays(saved(tmp_path), COLUMNS)["policy"].dtype == np.float64


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"key": None}, "key is missing"),
        ({"more": np.zeros(1)}, "more is no part of it: key, offset, policy, mark are"),
        ({"key": np.arange(3.0)}, "key is of type f8: i8 is"),
        ({"key": np.arange(4)}, r"offset has the shape \(4,\): \(5\) is right"),
        ({"offset": np.zeros((4, 1), np.int64)}, r"offset has the shape \(4, 1\)"),
        ({"offset": np.array([0, 1, -2, 3])}, r"offset\[2\] is -2: a number from 0 is"),
        ({"policy": np.full((5, 2), np.nan)}, r"policy\[0\]\[0\] is nan: a finite number is"),
        ({"policy": np.full((5, 2), 2.0)}, r"policy\[0\]\[0\] is 2.0: a number from 0.0 up to 1.0 is"),
        ({"policy": np.zeros((0, 3))}, "policy has the shape"),
        ({"key": np.array([object()])}, "key' is no array of numbers"),
        ({"key": np.zeros(3, [("a", "i4")])}, "key' is no array of numbers"),
        ({"key": np.array(["a"])}, "key' is no array of numbers"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        read_arrays(saved(tmp_path, **changes), COLUMNS)


def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, x=np.zeros(12_000_000))
    assert path.stat().st_size < 200_000
    begun = time.perf_counter()
    with pytest.raises(BadRecord, match="would unpack to 96,000,"):
        read_arrays(path, {"x": Column("f8")})
    assert time.perf_counter() - begun < 0.5


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (" + b"1" * 3000 + b",), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        b"(" * 3000,
        b"{'descr': '''x",
        b"__import__('os').abort()",
    ],
)
def test_a_header_that_lies_is_refused(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as archive:
        text = header + b" \n"
        archive.writestr("x.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\x00" * 8)
    with pytest.raises(BadRecord, match="'x'"):
        read_arrays(path, {"x": Column("f8")})


def test_damaged_archives_are_refused_in_one_way(tmp_path: Path) -> None:
    whole = saved(tmp_path).read_bytes()
    path = tmp_path / "x.npz"
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        with pytest.raises(BadRecord):
            read_arrays(path, COLUMNS)
    doubled = io.BytesIO()
    with zipfile.ZipFile(doubled, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for _ in range(2):
            archive.writestr("key.npy", zipfile.ZipFile(io.BytesIO(whole)).read("key.npy"))
    path.write_bytes(doubled.getvalue())
    with pytest.raises(BadRecord, match="there twice"):
        read_arrays(path, {"key": COLUMNS["key"]})
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "none.npz", COLUMNS)


def test_a_label_is_read_without_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, label=np.frombuffer(b'{"a": 1}', np.uint8), rest=np.array([object()]))
    assert read_label(path, "label") == {"a": 1}
    np.savez(path, label=np.frombuffer(b"[" * 50_000, np.uint8))
    with pytest.raises(BadRecord, match=r"nested too deeply|no JSON"):
        read_label(path, "label")
    with pytest.raises(BadRecord, match="other is missing"):
        read_label(path, "other")
