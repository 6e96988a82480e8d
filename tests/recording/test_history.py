"""The ledger: bits survive the text, and a resumed run sees whole rows up to its checkpoint only."""

import errno
import math
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supple.errors import RecordError
from supple.recording import files
from supple.recording.history import COLUMNS, COUNTS, LATER, HistoryWriter, read_history, read_rows


@pytest.fixture
def path(tmp_path):
    return tmp_path / "history.csv"


def row(step, value=0.1):
    return {c: step if c in COUNTS else value * (step + 1) / 3 for c in COLUMNS}


def write(path, steps):
    writer = HistoryWriter.create(path)
    for step in steps:
        writer.append(row(step))
    writer.close()


def test_a_history_without_rows_is_refused_where_figures_are_asked_for(path):
    write(path, [])
    assert len(read_history(path)["step"]) == 0
    with pytest.raises(RecordError, match=r"history\.csv: has no rows; put back"):
        read_rows(path)
    write(path, [0])
    assert read_rows(path)["step"].tolist() == [0]


def test_header_is_the_agreed_one(path):
    write(path, [])
    assert path.read_text() == (
        "step,time,h,kinetic,elastic,gravity,other,total,dissipated,external_work,residual,px,py,pz,lx,ly,lz,"
        "newton_iterations,factorisations,line_search_steps,rejected_steps,gradient_norm,"
        "constraint_error,constraint_force,inverted_elements,crushed_elements,exceptional,rescued,"
        "transfer,force,collided,plastic,hardening,restored,springs,held,doubtful,wall_seconds\n"
    )
    assert all(len(values) == 0 for values in read_history(path).values())


@given(value=st.floats(), count=st.integers(0, 2**53))
def test_bits_survive(tmp_path_factory, value, count):
    path = tmp_path_factory.mktemp("history") / "history.csv"
    writer = HistoryWriter.create(path)
    writer.append({c: np.int64(count) if c in COUNTS else np.float64(value) for c in COLUMNS})
    writer.close()
    read = read_history(path)
    assert list(read) == list(COLUMNS)
    for name, values in read.items():
        assert values.dtype == (np.int64 if name in COUNTS else np.float64)
        if name in COUNTS:
            assert values[0] == count
        else:
            assert math.isnan(values[0]) if math.isnan(value) else values[0].hex() == value.hex()


def test_files_of_older_versions_are_read_and_continued_as_they_are(path):
    old = [c for c in COLUMNS if c not in LATER]
    rows = [",".join(str(step if c in COUNTS else 0.5) for c in old) for step in range(3)]
    path.write_text("\n".join([",".join(old), *rows]) + "\n")
    assert list(read_history(path)) == old
    writer = HistoryWriter.reopen(path, 1)
    writer.append(row(2))
    writer.close()
    read = read_history(path)
    assert list(read) == old
    assert read["step"].tolist() == [0, 1, 2]
    assert len(path.read_text().splitlines()[-1].split(",")) == len(old)


def test_rows_need_exactly_the_columns(path):
    writer = HistoryWriter.create(path)
    wrong = row(0) | {"energy": 1.0}
    del wrong["total"]
    with pytest.raises(RecordError, match=r"lacks \['total'\] and has unknown columns \['energy'\]"):
        writer.append(wrong)
    writer.close()


def test_resume_gives_the_bytes_of_an_uninterrupted_run(path, tmp_path):
    write(tmp_path / "whole.csv", range(9))
    whole = (tmp_path / "whole.csv").read_bytes()
    fifth = whole.index(b"\n5,") + 1
    for cut in range(fifth, len(whole), 7):
        path.write_bytes(whole[:cut])
        writer = HistoryWriter.reopen(path, 4)
        for step in range(5, 9):
            writer.append(row(step))
        writer.close()
        assert path.read_bytes() == whole


def test_substeps_of_the_last_step_are_kept(path):
    write(path, [0, 1, 2, 2, 2, 3])
    HistoryWriter.reopen(path, 2).close()
    assert read_history(path)["step"].tolist() == [0, 1, 2, 2, 2]


def test_resume_needs_the_row_of_the_checkpoint(path):
    write(path, range(3))
    with pytest.raises(RecordError, match=r"end at step 2, but the checkpoint was made at step 5.*--overwrite"):
        HistoryWriter.reopen(path, 5)


def test_a_torn_last_line_is_left_out(path):
    write(path, range(4))
    whole = path.read_bytes()
    last = whole.index(b"\n3,") + 1
    for cut in range(last, len(whole)):
        path.write_bytes(whole[:cut])
        assert read_history(path)["step"].tolist() == [0, 1, 2]


def test_damage_in_the_middle_is_named(path):
    write(path, range(4))
    path.write_bytes(path.read_bytes().replace(b"\n2,", b"\nx,"))
    with pytest.raises(RecordError, match="line 4 is damaged"):
        read_history(path)


def test_other_files_are_refused(path):
    with pytest.raises(RecordError, match="cannot read"):
        read_history(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(RecordError, match="does not start with the header"):
        read_history(path)


def test_a_full_disk_leaves_no_half_row(path, monkeypatch):
    writer = HistoryWriter.create(path)
    writer.append(row(0))
    before, calls, write_ = path.read_bytes(), [], os.pwrite

    def pwrite(descriptor, data, offset):
        calls.append(offset)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_(descriptor, data[:10], offset)

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "pwrite", pwrite)
        with pytest.raises(RecordError, match="the disk is full"):
            writer.append(row(1))
    assert path.read_bytes() == before
    writer.append(row(1))
    writer.close()
    assert read_history(path)["step"].tolist() == [0, 1]


def test_the_old_name_of_the_energy_residual_is_read_but_not_continued(path):
    write(path, [0, 1])
    path.write_text(path.read_text().replace(",residual,", ",residue,", 1))
    assert read_history(path)["residual"].tolist() == [row(0)["residual"], row(1)["residual"]]
    with pytest.raises(RecordError, match="does not start with the header of a history"):
        HistoryWriter.reopen(path, 1)
