"""The animation file: what was recorded is read back, by us and by VTK, whatever happens to the writer."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from recording_film import CELLS, METADATA, VERTICES, assert_frames, assert_vtk_frames, frame, read_with_vtk

from child import environment
from supple.errors import RecordError
from supple.recording import files
from supple.recording.animation import AnimationWriter, open_animation, repack
from supple.recording.reading import checksums


@pytest.fixture
def path(tmp_path):
    return tmp_path / "animation.vtkhdf"


def record(path, count, frames=8):
    writer = AnimationWriter.create(path, CELLS, VERTICES, frames, METADATA)
    for k in range(count):
        writer.record(*frame(k))
    writer.close()


def check(path, count):
    with open_animation(path) as animation:
        assert_frames(animation, count)
        assert animation.metadata == METADATA
        np.testing.assert_array_equal(animation.cells.connectivity, CELLS.connectivity)
        np.testing.assert_array_equal(animation.cells.offsets, CELLS.offsets)
        np.testing.assert_array_equal(animation.cells.types, CELLS.types)


def test_reserved_and_repacked_files_read_the_same(path, tmp_path):
    record(path, 5)
    check(path, 5)
    packed = tmp_path / "packed.vtkhdf"
    packed.write_bytes(path.read_bytes())
    repack(packed)
    check(packed, 5)
    with h5py.File(packed) as file:
        assert file["VTKHDF/Points"].chunks == (VERTICES, 3)
        assert file["VTKHDF/Points"].compression == "gzip"
    for frames in read_with_vtk(path, packed):
        assert len(frames) == 5
        assert_vtk_frames(frames, 5)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["animation.vtkhdf", "packed.vtkhdf"]


def test_a_reservation_costs_no_disk(path):
    AnimationWriter.create(path, CELLS, VERTICES, 200_000, METADATA).close()
    status = path.stat()
    assert status.st_size > 28 * VERTICES * 200_000
    # The tables of offsets exist, the frames do not.
    assert status.st_blocks * 512 < 0.75 * status.st_size


def test_a_file_can_be_watched_while_it_is_written(path):
    writer = AnimationWriter.create(path, CELLS, VERTICES, 4, METADATA)
    for k in range(3):
        writer.record(*frame(k))
        check(path, k + 1)
    writer.close()


def test_more_frames_than_reserved(path):
    record(path, 7, frames=2)
    check(path, 7)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("keep", "frames"), [(0, 0), (3, 0), (5, 0), (3, 40), (0, 40)])
def test_resume_forgets_what_came_later(path, keep, frames, packed):
    record(path, 5)
    if packed:
        repack(path)
    writer = AnimationWriter.reopen(path, keep, frames)
    assert writer.reserved >= frames
    check(path, keep)
    for k in range(keep, 7):
        writer.record(*frame(k))
    writer.close()
    check(path, 7)


def test_resume_beyond_what_is_there_is_refused(path):
    record(path, 2)
    with pytest.raises(RecordError, match=r"has 2 frames, but the checkpoint was made after 3.*--overwrite"):
        AnimationWriter.reopen(path, 3)


def test_no_frames_at_all(path):
    record(path, 0)
    repack(path)
    check(path, 0)
    assert len(read_with_vtk(path)) == 1


def test_wrong_shapes_are_refused(path):
    writer = AnimationWriter.create(path, CELLS, VERTICES, 4, METADATA)
    t, x, v, energy = frame(0)
    with pytest.raises(RecordError, match=r"velocity of a frame has shape \(5, 3\), expected \(6, 3\)"):
        writer.record(t, x, v[:5], energy)
    writer.close()
    check(path, 0)


def test_frames_beyond_float32_are_infinite_without_a_warning(path):
    writer = AnimationWriter.create(path, CELLS, VERTICES, 4, METADATA)
    t, x, v, energy = frame(0)
    writer.record(t, x * 1e300, v, energy)
    writer.close()
    with open_animation(path) as animation:
        assert np.isinf(animation.points(0)).all()


def test_unreadable_files_are_explained(path):
    with pytest.raises(RecordError, match="no such file"):
        open_animation(path)
    path.write_text("not this")
    with pytest.raises(RecordError, match="not a readable HDF5 file"):
        open_animation(path)
    with h5py.File(path, "w") as file:
        file["x"] = 1
    with pytest.raises(RecordError, match="not a VTKHDF animation"):
        open_animation(path)


def test_an_axis_that_is_none_is_refused(path):
    writer = AnimationWriter.create(path, CELLS, VERTICES, 2, {**METADATA, "up": 1e15})
    writer.close()
    with pytest.raises(RecordError, match=r"its axis up is '1000000000000000.0'; expected x, y or z"):
        open_animation(path)


def test_damaged_tables_of_a_group_are_explained(path):
    """h5py raises another exception for them than for damaged arrays."""
    record(path, 2)
    content = path.read_bytes()
    for k in range(content.count(b"SNOD")):
        parts = content.split(b"SNOD")
        path.write_bytes(b"SNOD".join(parts[: k + 1]) + b"XXXX" + b"SNOD".join(parts[k + 1 :]))
        with pytest.raises(RecordError, match=r"animation\.vtkhdf: .*HDF5 file"):
            open_animation(path)
    path.write_bytes(content.replace(b"velocity", b"v\xff\xfeocity"))
    with pytest.raises(RecordError, match=r"animation\.vtkhdf: .*HDF5 file"):
        open_animation(path)


def test_damage_that_only_hinders_writing_is_explained(path):
    """HDF5 reads this file, whose driver information lies far beyond its end, but refuses to open it for writing."""
    record(path, 3)
    content = bytearray(path.read_bytes())
    content[55] = 0
    path.write_bytes(content)
    check(path, 3)
    with pytest.raises(RecordError, match=r"animation\.vtkhdf: is damaged and cannot be continued .*--overwrite"):
        AnimationWriter.reopen(path, 3)


def test_a_damaged_frame_is_named(path):
    record(path, 3)
    repack(path)
    with h5py.File(path) as file:
        place = file["VTKHDF/Points"].id.get_chunk_info(1)
    with path.open("r+b") as file:
        file.seek(place.byte_offset)
        file.write(b"\xff" * place.size)
    with open_animation(path) as animation:
        animation.velocities(1)
        with pytest.raises(RecordError, match=r"animation\.vtkhdf: frame 1 of Points is damaged"):
            animation.points(1)


@pytest.mark.parametrize("name", ["Points", "PointData/velocity", "PointData/energy"])
def test_a_flipped_bit_of_a_frame_is_found(path, name):
    """The arrays of a run are not compressed, so HDF5 has no checksums of them."""
    record(path, 3)
    with h5py.File(path) as file:
        width = 4 * file[f"VTKHDF/{name}"][:1].size
        place = file[f"VTKHDF/{name}"].id.get_offset() + (VERTICES + 1) * width
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    with open_animation(path) as animation:
        animation.field(name, 0)
        with pytest.raises(RecordError, match=rf"frame 1 of {name} is damaged \(its bytes do not match their checksum"):
            animation.field(name, 1)
        animation.field(name, 2)
        animation.field(name, -1)
    for rewrite in (repack, lambda path: AnimationWriter.reopen(path, 3, frames=100)):
        with pytest.raises(RecordError, match=rf"frame 1 of {name} is damaged"):
            rewrite(path)
    assert path.read_bytes() == content


def test_files_without_checksums_are_continued(path):
    """Those of earlier versions, which are unchecked, also after a copy to a larger file."""
    record(path, 3, frames=3)
    with h5py.File(path, "r+") as file:
        del file[checksums.PLACE]
    check(path, 3)
    writer = AnimationWriter.reopen(path, 3)
    writer.record(*frame(3))
    writer.record(*frame(4))
    writer.close()
    check(path, 5)
    repack(path)
    check(path, 5)


@pytest.mark.parametrize("shape", [(2, 3), (8, 2), (8,)])
def test_a_table_of_checksums_that_does_not_fit_is_refused(path, shape):
    record(path, 3)
    with h5py.File(path, "r+") as file:
        del file[checksums.PLACE]
        file[checksums.PLACE] = np.zeros(shape, dtype="<u4")
    with pytest.raises(RecordError, match=r"animation\.vtkhdf: .*checksums is no table of 3 frames with 3 arrays"):
        open_animation(path)


def fill_disk_after(monkeypatch, budget):
    """From now on the system takes `budget` more bytes, the last call of them perhaps in part."""
    left = [budget]
    write = os.pwrite

    def pwrite(descriptor, data, offset):
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = write(descriptor, data[: left[0]], offset)
        left[0] -= count
        return count

    monkeypatch.setattr(files.os, "pwrite", pwrite)


@pytest.mark.parametrize("budget", [0, 50, 100, 168, 180, 220, 260])
def test_a_full_disk_leaves_all_frames_before(path, monkeypatch, budget):
    writer = AnimationWriter.create(path, CELLS, VERTICES, 8, METADATA)
    for k in range(3):
        writer.record(*frame(k))
    with monkeypatch.context() as patch:
        fill_disk_after(patch, budget)
        with pytest.raises(RecordError, match=r"cannot write frame 3: the disk is full"):
            writer.record(*frame(3))
        writer.close()
    check(path, 3)
    writer = AnimationWriter.reopen(path, 3)
    writer.record(*frame(3))
    writer.close()
    check(path, 4)


@pytest.mark.parametrize("budget", [0, 1000, 5000])
def test_a_full_disk_while_rewriting_keeps_the_old_file(path, tmp_path, monkeypatch, budget):
    record(path, 8)
    with monkeypatch.context() as patch:
        fill_disk_after(patch, budget)
        with pytest.raises(RecordError, match="the disk is full"):
            repack(path)
        with pytest.raises(RecordError, match="the disk is full"):
            AnimationWriter.reopen(path, 8, 1000)
        with pytest.raises(RecordError, match="the disk is full"):
            AnimationWriter.create(tmp_path / "new.vtkhdf", CELLS, VERTICES, 8, METADATA)
    check(path, 8)
    assert [p.name for p in tmp_path.iterdir()] == ["animation.vtkhdf"]


def test_every_instant_of_the_writer_is_a_good_file(path, tmp_path, monkeypatch):
    """A kill leaves the result of the last system call, or half of it; so the file is checked after and amid each call."""
    states = []
    write = os.pwrite

    def pwrite(descriptor, data, offset):
        for part in (data[: len(data) // 2], data):
            write(descriptor, part, offset)
            states.append((acknowledged[0], path.read_bytes()))
        return len(data)

    acknowledged = [0]
    writer = AnimationWriter.create(path, CELLS, VERTICES, 6, METADATA)
    monkeypatch.setattr(files.os, "pwrite", pwrite)
    for k in range(5):
        writer.record(*frame(k))
        acknowledged[0] = k + 1
    writer.close()
    for keep in (2, 0):
        acknowledged[0] = keep
        writer = AnimationWriter.reopen(path, keep)
        writer.record(*frame(keep))
        writer.close()
    monkeypatch.undo()

    assert len(states) > 60
    paths = []
    for number, (count, content) in enumerate(states):
        paths.append(tmp_path / f"{number}.vtkhdf")
        paths[-1].write_bytes(content)
        with open_animation(paths[-1]) as animation:
            assert len(animation) >= count
            assert_frames(animation, len(animation))
    for (count, _), frames in zip(states, read_with_vtk(*paths), strict=True):
        assert_vtk_frames(frames, count)


_ENDLESS = """
import sys
from pathlib import Path
from recording_film import CELLS, METADATA, VERTICES, frame
from supple.recording.animation import AnimationWriter
path = Path(sys.argv[1])
if path.exists():
    writer = AnimationWriter.reopen(path, int(sys.argv[2]))
else:
    writer = AnimationWriter.create(path, CELLS, VERTICES, 20_000, METADATA)
while True:
    writer.record(*frame(len(writer)))
    print(len(writer), flush=True)
"""


def test_kills(path):
    """kill -9 in mid-write, twice over the same file, resumed two frames before the end."""
    kept = 0
    for pause in (0.003, 0.017):
        writer = subprocess.Popen(
            [sys.executable, "-c", _ENDLESS, str(path), str(max(kept - 2, 0))],
            env=environment(Path(__file__).parent),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        acknowledged = int(writer.stdout.readline())
        time.sleep(pause)
        writer.send_signal(signal.SIGKILL)
        said = writer.communicate()[0].split()
        acknowledged = int(said[-1]) if said else acknowledged
        assert writer.returncode == -signal.SIGKILL
        with open_animation(path) as animation:
            kept = len(animation)
            assert kept >= acknowledged
            assert_frames(animation, kept)
        assert_vtk_frames(read_with_vtk(path)[0], kept)
    repack(path)
    check(path, kept)
