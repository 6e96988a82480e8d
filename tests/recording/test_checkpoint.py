"""Checkpoints: the same bits come back, and damage costs one checkpoint, not the run."""

import errno
import math
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from supple.errors import RecordError
from supple.recording import checkpoint
from supple.recording.checkpoint import read_checkpoint, write_checkpoint


def write(folder, step):
    write_checkpoint(folder, {"step": step}, {"x": np.full((4, 3), float(step))})


@settings(max_examples=30)
@given(
    numbers=st.lists(st.floats(), max_size=5),
    array=hnp.arrays(st.sampled_from([np.float64, np.int32, np.bool_]), hnp.array_shapes(min_dims=0, min_side=0)),
)
def test_bits_survive(tmp_path_factory, numbers, array):
    folder = tmp_path_factory.mktemp("run")
    write_checkpoint(
        folder, {"numbers": numbers, "rule": "gauss-3"}, {"file": array, "allow_pickle": array.T, "meta": array}
    )
    read = read_checkpoint(folder)
    assert read.note is None
    assert read.meta["rule"] == "gauss-3"
    for a, b in zip(read.meta["numbers"], numbers, strict=True):
        assert math.isnan(a) if math.isnan(b) else a.hex() == b.hex()
    for name, expected in (("file", array), ("allow_pickle", array.T), ("meta", array)):
        assert read.arrays[name].dtype == array.dtype
        assert read.arrays[name].shape == expected.shape
        assert read.arrays[name].tobytes() == expected.tobytes()


def test_the_one_before_is_kept(tmp_path):
    for step in (1, 2, 3):
        write(tmp_path, step)
    assert read_checkpoint(tmp_path).meta == {"step": 3}
    (tmp_path / "checkpoint").unlink()
    read = read_checkpoint(tmp_path)
    assert read.meta == {"step": 2}
    assert read.note is not None
    assert "is missing" in read.note
    assert sorted(p.name for p in tmp_path.iterdir()) == ["checkpoint.old"]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: data[:-1], "half written"),
        (lambda data: data[: len(data) // 2], "half written"),
        (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "half written"),
        (lambda data: b"", "is empty"),
        (lambda data: b"PK" + data, "not a checkpoint"),
    ],
)
def test_damage_falls_back(tmp_path, damage, reason):
    write(tmp_path, 1)
    write(tmp_path, 2)
    file = tmp_path / "checkpoint"
    damaged = damage(file.read_bytes())
    file.write_bytes(damaged)
    read = read_checkpoint(tmp_path)
    assert read.meta == {"step": 1}
    assert read.note is not None
    assert reason in read.note
    assert "checkpoint.old" in read.note
    write(tmp_path, 3)  # continues; the damaged one does not push out the good one
    assert read_checkpoint(tmp_path).meta == {"step": 3}
    file.write_bytes(damaged)
    assert read_checkpoint(tmp_path).meta == {"step": 1}


def test_nothing_usable_is_explained(tmp_path):
    with pytest.raises(RecordError, match=r"no usable checkpoint \(checkpoint: is missing.*--overwrite"):
        read_checkpoint(tmp_path)


def test_objects_are_refused(tmp_path):
    with pytest.raises(RecordError, match="arrays with objects: memory"):
        write_checkpoint(tmp_path, {}, {"memory": np.array([{}])})


@pytest.mark.parametrize("call", ["link", "replace", "fsync"])
def test_a_failure_at_any_point_keeps_a_checkpoint(tmp_path, monkeypatch, call):
    write(tmp_path, 1)
    write(tmp_path, 2)

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        if call == "link":
            patch.setattr(checkpoint.shutil, "copyfile", fail)
        with pytest.raises(RecordError, match="the disk is full"):
            write(tmp_path, 3)
    assert read_checkpoint(tmp_path).meta == {"step": 2}
    assert read_checkpoint(tmp_path).note is None


def test_file_systems_without_links(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", fail)
    write(tmp_path, 1)
    write(tmp_path, 2)
    (tmp_path / "checkpoint").write_bytes(b"")
    assert read_checkpoint(tmp_path).meta == {"step": 1}
