"""Workers on this machine, killed or interrupted: nothing finished is lost, and the table is that of an undisturbed sweep."""

import os
import signal
import tempfile
from pathlib import Path

import psutil
import pytest
from clusters import (
    FEW,
    STEPS,
    computing,
    ended,
    here,
    interrupt,
    meanwhile,
    start,
    states,
    status,
    sweep,
    table,
    under_way,
    wait_for,
    wanted,
    workers_of,
)

from supple.cli import main
from supple.recording.history import COLUMNS, read_history
from supple.runs.results import Run
from supple.sweeps.axes import parse_axis
from supple.sweeps.campaign import new_sweep, writing
from supple.sweeps.designs import Grid
from supple.sweeps.farm import open_farm
from supple.sweeps.measures import make_measures
from supple.sweeps.plan import Base, Plan


def test_runs_are_those_of_the_run_command(undisturbed: Path, in_folder: Path) -> None:
    from supple.linalg.threads import use_threads

    use_threads(1)
    words = ["run", "bar.toml", "--steps", str(STEPS), "--out", "one"]
    with pytest.raises(SystemExit):
        main([*words, "--set", "body.0.material.young=2e5", "--set", "integrator.name=bdf2"])
    one, two = read_history(in_folder / "one/history.csv"), read_history(undisturbed / "runs/003/history.csv")
    for column in COLUMNS:
        if column != "wall_seconds":
            assert one[column].tobytes() == two[column].tobytes(), column


def test_a_worker_killed_in_the_middle_of_a_run(undisturbed: Path, in_folder: Path) -> None:
    """The only one, so that nothing continues unless another is started."""

    def kill() -> None:
        wait_for(lambda: bool(workers_of(os.getpid())))
        computing(workers_of(os.getpid()), in_folder / "out").kill()

    with meanwhile(kill):
        said = here("sweep", *wanted("out", "--workers", 1, vary=FEW))
    assert "its worker died; the run continues from its last checkpoint" in said
    assert table(in_folder / "out") == table(undisturbed)


def test_a_worker_killed_while_kernels_are_prepared(
    undisturbed: Path, in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its preparation waited for its address forever, and the sweep with it."""

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("supple.sweeps.drive.rehearse", die)
    monkeypatch.setattr("supple.sweeps.drive.LOOK", 0.2)
    here("sweep", *wanted("out", "--workers", 1, vary=FEW))
    assert table(in_folder / "out") == table(undisturbed)


def test_a_suspended_machine_restarts_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask kills workers without a word for five minutes by the clock, which goes on while a machine is suspended."""
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "1 minute")
    with open_farm(workers=1) as farm:
        scheduler = farm.client.cluster.scheduler
        assert scheduler.worker_ttl is None
        assert "worker-ttl" not in scheduler.periodic_callbacks


@pytest.mark.study
def test_ctrl_c(undisturbed_many: Path, in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = in_folder / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    assert tempfile.gettempdir() != str(scratch)
    child = start("sweep", *wanted(), folder=in_folder)
    out = in_folder / "out"
    wait_for(lambda: bool(under_way(out)), child)
    left = workers_of(child.pid)
    interrupt(child)
    said = ended(child, in_folder, code=130)
    assert "continue with: supple sweep --resume out" in said
    assert "waiting" in states(out)
    assert set(states(out)) <= {"waiting", "finished"}
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in left)
    assert not list(scratch.iterdir()), "the workers' scratch folders are gone"
    begun = [run for run in out.glob("runs/*") if (run / "run.json").exists()]
    assert any(status(run) == "interrupted" for run in begun), "stopped with a checkpoint, not killed"
    assert all(len(Run(run).history["time"]) > 0 for run in begun)
    sweep("--resume", "out", folder=in_folder)
    assert table(out) == table(undisturbed_many)


@pytest.mark.study
def test_a_client_killed(undisturbed_many: Path, in_folder: Path) -> None:
    child = start("sweep", *wanted(), folder=in_folder)
    out = in_folder / "out"
    wait_for(lambda: bool(under_way(out)), child)
    left = workers_of(child.pid)
    child.send_signal(signal.SIGKILL)
    child.wait()
    psutil.wait_procs(left, timeout=30)
    assert not any(worker.is_running() for worker in left), "workers do not outlive their client"
    sweep("--resume", "out", folder=in_folder)
    assert table(out) == table(undisturbed_many)


def test_two_sweeps_in_one_folder(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    axes = (parse_axis("body.0.material.young=1e5,2e5"),)
    new_sweep(Plan(Base.of_file(in_folder / "bar.toml"), axes, Grid(), make_measures(None)), in_folder / "out")
    with writing(in_folder / "out"):
        for arguments in (["--resume", "out"], wanted("out", "--overwrite")):
            with pytest.raises(SystemExit) as left:
                main(["sweep", *arguments])
            assert left.value.code == 2
            assert "another process is writing into this folder" in capsys.readouterr().err
