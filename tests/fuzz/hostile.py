"""Well-formed but hostile: variants of JSON texts and .npz files, each a function of a random generator."""

from __future__ import annotations

import copy
import io
import json
import random
import zipfile
from typing import Any

import numpy as np

RAW = {
    "@nan": "NaN",
    "@infinity": "-Infinity",
    "@digits": "9" * 5000,
    "@huge": "1e999",
    "@deep": "[" * 5000 + "]" * 5000,
}
"""What JSON texts can say and json.dumps cannot."""


VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2, 7, 63, 64, 255, 300, 5000, 10**6, 10**8, 2**31 - 1, 2**31, -(2**31), 2**40, 2**62,
    2**63 - 1, 2**63, -(2**63), 2**64, 2**128 - 1, 2**128, 10**30, 10**4000, 0.5, -0.0, 1e300, -1e308, 5e-324, "", " ",
    "x", "0", "-1", "1" * 5000, "a" * 200_000, "\ud800", "\x00", "\x1b[31m", "../../x", "/dev/null", "²", "nan",
    "?" * 40, "[bold]", [], {}, [[]], [0] * 2000, ["x"] * 300, {"": 0}, {"x": {"x": {}}}, *RAW,
]  # fmt: skip


class Still(random.Random):
    """Luck that changes nothing: for good files."""


def hostile(luck: random.Random) -> Any:
    """A value that nobody expects."""
    return copy.deepcopy(luck.choice(VALUES))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where one can get at something inside a value."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, one in value.items():
            found += places(one, (*path, key))
    elif isinstance(value, list):
        for k, one in enumerate(value[:60]):
            found += places(one, (*path, k))
    return found


def mutated(value: Any, luck: random.Random) -> Any:
    """A copy with one to three things changed."""
    if isinstance(luck, Still):
        return value
    value = copy.deepcopy(value)
    for _ in range(luck.choice([1, 1, 1, 2, 3])):
        spots = places(value)
        if not spots or luck.random() < 0.01:
            return hostile(luck)
        *road, last = luck.choice(spots)
        home = value
        for step in road:
            home = home[step]
        kind = luck.random()
        old = home[last]
        if kind < 0.5:
            home[last] = hostile(luck)
        elif kind < 0.58:
            del home[last]
        elif kind < 0.66 and isinstance(home, dict):
            home[luck.choice(["extra", "name", "", "kibitz", "format", "\ud800"])] = hostile(luck)
        elif kind < 0.8 and isinstance(old, list) and old:
            home[last] = luck.choice([old[:-1], [*old, old[-1]], old[::-1], old * 2, old * 300, [old], old[:1]])
        elif type(old) in (int, float) and abs(old) < 1e300:
            home[last] = luck.choice([old + 1, old - 1, -old, old * 2, old + 0.5, float(old), str(old)])
        elif isinstance(old, str):
            home[last] = luck.choice([old + "x", old[:-1], old.upper(), old * 50, [old], old + "\n", "9" + old])
        else:
            home[last] = hostile(luck)
    return value


def json_text(value: Any, luck: random.Random) -> bytes:
    """The text of a value, seldom spoiled further."""
    text = json.dumps(value)
    for word, raw in RAW.items():
        text = text.replace(f'"{word}"', raw)
    data = text.encode()
    kind = 1.0 if isinstance(luck, Still) else luck.random()
    if kind < 0.02:
        return data[: luck.randrange(len(data) + 1)]
    if kind < 0.03:
        return b"[" * 100_000
    if kind < 0.05:
        at = luck.randrange(len(data) + 1)
        return data[:at] + luck.choice([b"\xff", b"\x00", b"\xed\xa0\x80", b"\n", b","]) + data[at:]
    return data


DTYPES = [
    "i1",
    "i4",
    "i8",
    "u1",
    "u2",
    "u8",
    "f2",
    "f4",
    "f8",
    "b1",
    "c16",
    "S3",
    "U2",
    ">i8",
    ">f8",
    "M8[s]",
    [("a", "i4")],
]
NUMBERS = [
    -1, 0, 1, 2, 3, 63, 64, 255, 5000, 10**6, 10**8, 2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, -(2**31),
    -(2**63), 0.5, float("nan"), float("inf"), -float("inf"), 1e300, -1e-300,
]  # fmt: skip


def mutated_arrays(
    arrays: dict[str, np.ndarray], luck: random.Random, texts: tuple[str, ...] = ()
) -> dict[str, np.ndarray]:
    """A copy with one to three arrays changed; `texts` are arrays that hold JSON."""
    if isinstance(luck, Still):
        return arrays
    arrays = {name: array.copy() for name, array in arrays.items()}
    for _ in range(luck.choice([1, 1, 1, 2, 3])):
        if not arrays:
            return arrays
        name = luck.choice(sorted(arrays))
        array = arrays[name]
        kind = luck.random()
        if name in texts and kind < 0.9:
            try:
                said = json.loads(array.tobytes())
            except (ValueError, RecursionError):  # changed once already
                said = {}
            arrays[name] = np.frombuffer(json_text(mutated(said, luck), luck), np.uint8).copy()
        elif kind < 0.45 and array.size and array.dtype.kind in "iuf":
            flat = array.reshape(-1)
            with np.errstate(all="ignore"):
                value = np.array([luck.choice(NUMBERS)]).astype(array.dtype)[0]
            where = luck.choice([0, -1, luck.randrange(flat.size), slice(None)])
            flat[where] = value
            arrays[name] = flat.reshape(array.shape)
        elif kind < 0.55:
            with np.errstate(all="ignore"):
                try:
                    arrays[name] = array.astype(luck.choice(DTYPES))
                except (TypeError, ValueError):
                    arrays[name] = np.zeros(3, luck.choice(DTYPES))
        elif kind < 0.7:
            flat = array.reshape(-1)
            arrays[name] = luck.choice([
                flat, flat[:-1], flat[:0], array[None], np.append(flat, flat), array.reshape(-1, 1),
                np.asfortranarray(array), np.array(0, array.dtype), array.T, np.zeros((2,) * 9, array.dtype),
                np.repeat(flat, 3),
            ])  # fmt: skip
        elif kind < 0.8 and array.size > 1:
            order = list(range(len(array.reshape(-1))))
            luck.shuffle(order)
            arrays[name] = array.reshape(-1)[order].reshape(array.shape)
        elif kind < 0.87:
            del arrays[name]
        elif kind < 0.93:
            arrays[luck.choice(["extra", "x/y", "0.0", "label ", "999999999.0.x"])] = np.arange(3)
        else:
            other = luck.choice(sorted(arrays))
            arrays[name], arrays[other] = arrays[other], arrays[name]
    return arrays


def npz_bytes(arrays: dict[str, np.ndarray], luck: random.Random) -> bytes:
    """The file of some arrays, seldom spoiled further:
    cut off, a byte changed, a header that lies, a member packed otherwise."""
    file = io.BytesIO()
    packed = luck.random() < 0.5
    (np.savez_compressed if packed else np.savez)(file, allow_pickle=True, **arrays)
    data = file.getvalue()
    kind = 1.0 if isinstance(luck, Still) else luck.random()
    if kind < 0.03:
        return data[: luck.randrange(len(data))]
    if kind < 0.08:
        spoiled = bytearray(data)
        for _ in range(luck.choice([1, 1, 5])):
            spoiled[luck.randrange(len(spoiled))] = luck.randrange(256)
        return bytes(spoiled)
    if kind < 0.2 and arrays:
        return _rewritten(data, luck)
    return data


HEADERS = [
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,), }",
    b"{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999999999,), }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (" + b"1, " * 900 + b"), }",
    b"(" * 3000,
    b"{'descr': '''" + b"x" * 100,
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (" + b"1" * 3000 + b"), }",
    b"__import__('os').abort()",
    b"",
    b"\xff" * 60,
]


def _rewritten(data: bytes, luck: random.Random) -> bytes:
    """The same archive, one member with another header, name, or way of packing."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        names = source.namelist()
        chosen = luck.choice(names)
        for name in names:
            body = source.read(name)
            how = zipfile.ZIP_STORED
            if name == chosen:
                kind = luck.randrange(5)
                if kind < 2:
                    header = luck.choice(HEADERS) + b" \n"
                    version = luck.choice([b"\x01\x00", b"\x01\x00", b"\x09\x09"])
                    body = (
                        b"\x93NUMPY"
                        + version
                        + len(header).to_bytes(2, "little")
                        + header
                        + body[-luck.choice([1, 8, 64]) :]
                    )
                elif kind == 2:
                    how = luck.choice([zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
                elif kind == 3:
                    name = luck.choice(["x", "../x.npy", name + "/", "y" * 5000 + ".npy", names[0]])
                else:
                    body = luck.choice([b"", body[:20], body + b"\x00" * 9, b"PK\x03\x04"])
            target.writestr(zipfile.ZipInfo(name), body, how)
    return out.getvalue()
