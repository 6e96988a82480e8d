"""A scheduler and workers as separate processes, killed: nothing finished is lost, and the table is that of an undisturbed
sweep."""

from pathlib import Path

import meshio
import numpy as np
import pytest
from clusters import (
    FEW,
    SCENE,
    Cluster,
    cluster,
    ended,
    here,
    interrupt,
    meanwhile,
    rows_of,
    start,
    states,
    status,
    sweep,
    table,
    under_way,
    wait_for,
    wanted,
    write_scene,
)

from supple.runs.results import Run


def test_a_worker_killed_in_the_middle_of_a_run(undisturbed: Path, shared: Cluster, in_folder: Path) -> None:
    with meanwhile(lambda: shared.kill_worker(in_folder / "out")):
        said = here("sweep", *wanted("out", "--scheduler", shared.address, vary=FEW))
    assert "its worker died" in said
    assert table(in_folder / "out") == table(undisturbed)


@pytest.mark.study
def test_the_scheduler_killed(undisturbed_many: Path, in_folder: Path) -> None:
    out = in_folder / "out"
    with cluster(in_folder / "cluster", workers=1) as farm:  # in turn: the others wait when the first has finished
        child = start("sweep", *wanted("out", "--scheduler", farm.address), folder=in_folder)
        wait_for(lambda: rows_of(out / "runs/001") > 5, child)
        farm.scheduler.kill()
        said = ended(child, in_folder, code=2)
    assert f"{farm.address}: the scheduler no longer responds; finished runs are kept" in said
    assert f"supple sweep --resume {out}" in said
    assert set(states(out)) == {"finished", "waiting"}
    with cluster(in_folder / "another") as farm:
        sweep("--resume", "out", "--scheduler", farm.address, folder=in_folder)
    assert table(out) == table(undisturbed_many)


@pytest.mark.study
def test_ctrl_c_stops_runs_on_the_workers_of_others(undisturbed_many: Path, in_folder: Path) -> None:
    out = in_folder / "out"
    with cluster(in_folder / "cluster") as farm:
        child = start("sweep", *wanted("out", "--scheduler", farm.address), folder=in_folder)
        wait_for(lambda: bool(under_way(out)), child)
        interrupt(child)
        ended(child, in_folder, code=130)
        wait_for(lambda: "running" not in {status(run) for run in out.glob("runs/*")})
        assert any(status(run) == "interrupted" for run in out.glob("runs/*"))
        assert all(worker.poll() is None for worker in farm.workers)
        sweep("--resume", "out", "--scheduler", farm.address, folder=in_folder)
    assert table(out) == table(undisturbed_many)


def test_runs_are_collected_from_workers(undisturbed: Path, shared: Cluster, in_folder: Path) -> None:
    here("sweep", *wanted("out", "--scheduler", shared.address, "--collect", vary=FEW))
    left = [path for path in (shared.folder / "scratch").rglob("*") if path.name.startswith("supple-")]
    assert not left, "nothing stays on the disks of workers"
    assert table(in_folder / "out") == table(undisturbed)
    assert not list((in_folder / "out/runs").glob("*.arriving"))
    assert all((run / "animation.vtkhdf").is_file() for run in (in_folder / "out/runs").iterdir())


def test_collected_runs_have_their_meshes_and_can_be_continued(shared: Cluster, in_folder: Path) -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    meshio.write_points_cells("tet.vtk", corners, [("tetra", np.array([[0, 1, 2, 3]]))])
    shape = 'shape = "bar", cells = [2, 1, 1], size = [1.0, 0.25, 0.25]'
    write_scene(in_folder, SCENE.replace(shape, 'file = "tet.vtk"').replace('pin = "left"\n', ""))
    vary = ("body.0.material.young=1e5,2e5",)
    words = wanted("out", "--scheduler", shared.address, "--collect", steps=5, vary=vary, measures=("total@end",))
    here("sweep", *words)
    assert states(in_folder / "out") == ["finished"] * 2
    Path("tet.vtk").unlink()
    here("run", "--resume", "out/runs/001", "--steps", 8)
    assert len(Run(in_folder / "out/runs/001").history["time"]) == 9


def test_nobody_there(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.sweeps.farm.ANSWER", 0.3)
    monkeypatch.setattr("supple.sweeps.farm.PATIENCE", 0.3)
    from distributed import LocalCluster

    from supple.errors import SuppleError
    from supple.sweeps.farm import open_farm

    with pytest.raises(SuppleError, match="no scheduler responds there"), open_farm(scheduler="tcp://127.0.0.1:9"):
        pass
    with (
        LocalCluster(
            n_workers=0, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=None
        ) as alone,
        pytest.raises(SuppleError, match="has no workers; start some"),
        open_farm(scheduler=alone.scheduler_address),
    ):
        pass
