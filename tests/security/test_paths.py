"""Which files a scene, a run or a stage may name: those below its folder, and those that the user has allowed."""

import itertools
import json
import socket
import tomllib
from pathlib import Path

import pytest

from supple import ownership, paths
from supple.errors import MeshError, RecordError, SceneError, SuppleError
from supple.recording.folder import RunFolder, RunStatus
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import dump_scene, load_scene, read_scene
from supple.sweeps.plan import Base
from supple.sweeps.sweep_file import read_sweep_file

TET = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
SCENE = """
[time]
step = 0.01
duration = 0.02
[[body]]
name = "sheet"
density = 100
mesh = {{ file = "{file}" }}
material = {{ name = "hooke-spring", stretch = 100.0 }}
"""


@pytest.fixture(autouse=True)
def fenced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No allowed folders, a separate secret, and no network."""
    monkeypatch.setattr(paths, "_ALLOWED", [])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    ownership._secret.cache_clear()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("an attempt to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of a scene, and one beside it with a mesh."""
    inside, beside = tmp_path / "inside", tmp_path / "beside"
    inside.mkdir()
    beside.mkdir()
    (beside / "sheet.obj").write_text(TET)
    return inside, beside


def written(folder: Path, file: str) -> Path:
    scene = folder / "scene.toml"
    scene.write_text(SCENE.format(file=file))
    return scene


def test_a_mesh_below_the_folder_is_read(places: tuple[Path, Path]) -> None:
    inside, _ = places
    (inside / "meshes").mkdir()
    (inside / "meshes" / "sheet.obj").write_text(TET)
    assert load_scene(written(inside, "meshes/sheet.obj")).make().assemble().mesh.n == 3


@pytest.mark.parametrize("how", ["relative", "absolute", "link", "linked folder"])
def test_no_mesh_outside_is_read_and_the_sentence_helps(places: tuple[Path, Path], how: str) -> None:
    inside, beside = places
    name = {"relative": "../beside/sheet.obj", "absolute": str(beside / "sheet.obj")}.get(how, "sheet.obj")
    if how == "link":
        (inside / "sheet.obj").symlink_to(beside / "sheet.obj")
    if how == "linked folder":
        (inside / "meshes").symlink_to(beside)
        name = "meshes/sheet.obj"
    scene = written(inside, name)
    with pytest.raises(SceneError, match=rf"body\[0\]\.mesh\.file: .* outside .* --allow-paths {beside}"):
        load_scene(scene)
    assert load_scene(scene, allow=[beside]).make().assemble().mesh.n == 3


@pytest.mark.parametrize(
    "table",
    [
        'surface = "../beside/sheet.obj"',
        'initial = { file = "../beside/start.npz" }',
        'motion = { file = "../beside/walk.npz" }',
        '[[body.regions]]\nvoxels = { file = "../beside/image.npy" }',
        'regions = [{ voxels = { file = "../beside" } }]',
    ],
)
def test_every_key_that_names_a_file_is_fenced(places: tuple[Path, Path], table: str) -> None:
    inside, beside = places
    for name in ("start.npz", "walk.npz", "image.npy"):
        (beside / name).write_bytes(b"")
    (inside / "sheet.obj").write_text(TET)
    scene = written(inside, "sheet.obj")
    scene.write_text(scene.read_text() + table + "\n")
    with pytest.raises(SceneError, match=f"outside .* --allow-paths {beside}"):
        load_scene(scene)


def test_what_the_user_typed_is_the_users_own(places: tuple[Path, Path]) -> None:
    inside, beside = places
    (inside / "sheet.obj").write_text(TET)
    scene = written(inside, "sheet.obj")
    for typed in (f"body[0].mesh.file={beside / 'sheet.obj'}", f"body[0].mesh={{file='{beside / 'sheet.obj'}'}}"):
        assert load_scene(scene, [typed]).make().assemble().mesh.n == 3
    with pytest.raises(SceneError, match="outside"):
        load_scene(written(inside, "../beside/sheet.obj"), ["time.step=0.005"])


def test_own_runs_go_on_and_those_of_a_stranger_ask(
    places: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, beside = places
    (inside / "sheet.obj").write_text(TET)
    out = tmp_path / "run"
    job = start_run(load_scene(written(inside, "sheet.obj")), out)
    list(itertools.islice(job.frames(), 2))
    job.save()
    job.finish(RunStatus.INTERRUPTED)
    resumed = resume_run(out)  # the mesh is beside the scene, outside the folder of the run
    resumed.finish(RunStatus.INTERRUPTED)
    kept = (out / "scene.toml").read_text()
    # other files than those that the user let it read
    (out / "scene.toml").write_text(kept.replace(str(inside / "sheet.obj"), str(beside / "sheet.obj")))
    with pytest.raises(SceneError, match="--allow-paths"):
        load_scene(out / "scene.toml")
    # the same folder with another user
    (out / "scene.toml").write_text(kept)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    ownership._secret.cache_clear()
    with pytest.raises(SceneError, match="--allow-paths"):
        resume_run(out)


def test_copies_of_a_scene_load_elsewhere(places: tuple[Path, Path]) -> None:
    inside, beside = places
    (inside / "sheet.obj").write_text(TET)
    scene = load_scene(written(inside, "sheet.obj"))
    copy = beside / "copy.toml"
    copy.write_text(dump_scene(scene))
    assert load_scene(copy) == scene
    assert read_scene(tomllib.loads(dump_scene(scene)), beside) == scene


def test_sweeps_keep_to_the_folder_unless_the_user_typed_the_file(places: tuple[Path, Path]) -> None:
    inside, beside = places
    (inside / "sheet.obj").write_text(TET)
    far = f"body[0].mesh.file={beside / 'sheet.obj'}"
    scene = written(inside, "sheet.obj")
    assert Base.of_file(scene).scene([far], None).body
    file = inside / "sweep.toml"
    file.write_text(f'scene = "scene.toml"\nset = ["{far}"]\n[vary]\n"time.step" = [0.01, 0.02]\n')
    with pytest.raises(SceneError, match="--allow-paths"):
        list(read_sweep_file(file, []).check())
    file.write_text('scene = "../beside/scene.toml"\n[vary]\n"time.step" = [0.01, 0.02]\n')
    with pytest.raises(SuppleError, match="--allow-paths"):
        read_sweep_file(file, [])


def test_a_file_that_was_not_checked_is_not_packed(places: tuple[Path, Path]) -> None:
    inside, _ = places
    (inside / "sheet.obj").write_text(TET)
    base = Base.of_file(written(inside, "../beside/sheet.obj"), ["body[0].mesh.file=sheet.obj"])
    assert not base.packed()[1]


@pytest.mark.parametrize("name", ["https://example.org/sheet.obj", "file:///etc/hosts", "smb://host/sheet.obj"])
def test_addresses_are_refused_and_not_fetched(places: tuple[Path, Path], name: str) -> None:
    with pytest.raises(SceneError, match="nothing is fetched from a network"):
        load_scene(written(places[0], name))


def test_rings_of_links_are_refused(places: tuple[Path, Path]) -> None:
    inside, _ = places
    (inside / "sheet.obj").symlink_to(inside / "other.obj")
    (inside / "other.obj").symlink_to(inside / "sheet.obj")
    with pytest.raises(SceneError, match=r"mesh\.file"):
        load_scene(written(inside, "sheet.obj"))


def test_links_out_of_a_run_folder_are_refused(places: tuple[Path, Path], tmp_path: Path) -> None:
    inside, beside = places
    (inside / "sheet.obj").write_text(TET)
    out = tmp_path / "run"
    start_run(load_scene(written(inside, "sheet.obj")), out).finish(RunStatus.INTERRUPTED)
    (out / "log.txt").unlink()
    (beside / "diary.txt").write_text("mine")
    (out / "log.txt").symlink_to(beside / "diary.txt")
    for reopened in (
        lambda: resume_run(out),
        lambda: RunFolder.open(out),
        lambda: RunFolder.check(out, overwrite=True),
    ):
        with pytest.raises(RecordError, match=r"log\.txt is a link"):
            reopened()
    assert (beside / "diary.txt").read_text() == "mine"


def test_material_libraries_and_buffers_outside_are_not_read(places: tuple[Path, Path]) -> None:
    from supple.clips.reading import read_clip
    from supple.mesh.obj.mtl import read_finishes

    inside, beside = places
    (beside / "paint.mtl").write_text("newmtl red\nKd 1 0 0\n")
    assert read_finishes(inside, ["../beside/paint.mtl"]) == {}
    assert "red" in read_finishes(beside, ["paint.mtl"])
    (beside / "secret.bin").write_bytes(bytes(36))
    for uri in ("../beside/secret.bin", str(beside / "secret.bin"), "https://example.org/secret.bin"):
        (inside / "a.gltf").write_text(json.dumps(GLTF | {"buffers": [{"byteLength": 36, "uri": uri}]}))
        with pytest.raises(SuppleError, match=r"outside|network"):
            read_clip(inside / "a.gltf", None)


GLTF = {
    "asset": {"version": "2.0"},
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "nodes": [{"mesh": 0}],
    "scenes": [{"nodes": [0]}],
    "scene": 0,
}
LAYER = '#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n%s)\n%s\n'
REFERENCES = {
    "sublayer": ("    subLayers = [@{file}@]\n", ""),
    "reference": ("", 'def "a" (\n    references = @{file}@</a>\n)\n{{\n}}'),
    "payload": ("", 'def "a" (\n    payload = @{file}@</a>\n)\n{{\n}}'),
    "variant": (
        "",
        'def "a" (\n    variants = {{\n        string v = "x"\n    }}\n    prepend variantSets = "v"\n)\n{{\n'
        '    variantSet "v" = {{\n        "y" (\n            references = @{file}@</a>\n        ) {{\n        }}\n    }}\n}}',
    ),
    "clips": (
        "",
        'def "a" (\n    clips = {{\n        dictionary default = {{\n            asset[] assetPaths = [@{file}@]\n'
        '            string primPath = "/a"\n        }}\n    }}\n)\n{{\n}}',
    ),
}


@pytest.mark.parametrize("how", REFERENCES)
def test_layers_outside_a_stages_folder_are_not_read(places: tuple[Path, Path], how: str) -> None:
    from supple.mesh.stages.stage import open_stage

    inside, beside = places
    other = LAYER % ("", 'def Xform "a"\n{\n}')
    (beside / "other.usda").write_text(other)
    (inside / "other.usda").write_text(other)
    head, body = REFERENCES[how]

    def stage(file: str) -> Path:
        made = inside / "stage.usda"
        made.write_text(LAYER % (head.format(file=file), body.format(file=file)))
        return made

    assert open_stage(stage("./other.usda")).usd
    for name in ("../beside/other.usda", str(beside / "other.usda"), "https://example.org/other.usda"):
        with pytest.raises((MeshError, SuppleError), match=r"--allow-paths|network"):
            open_stage(stage(name))
    (inside / "linked.usda").symlink_to(beside / "other.usda")
    with pytest.raises(SuppleError, match="--allow-paths"):
        open_stage(stage("./linked.usda"))
    paths.allow_paths(beside)
    assert open_stage(stage("../beside/other.usda")).usd


def test_layers_of_layers_are_looked_at_too(places: tuple[Path, Path]) -> None:
    from supple.mesh.stages.stage import open_stage

    inside, beside = places
    (beside / "far.usda").write_text(LAYER % ("", ""))
    (inside / "near.usda").write_text(LAYER % ("    subLayers = [@../beside/far.usda@]\n", ""))
    (inside / "stage.usda").write_text(LAYER % ("    subLayers = [@./near.usda@]\n", ""))
    with pytest.raises(SuppleError, match=r"far\.usda"):
        open_stage(inside / "stage.usda")


def test_an_animation_cannot_show_bytes_of_other_files(tmp_path: Path) -> None:
    import h5py

    from supple.recording.vtkhdf import open_file

    secret = tmp_path / "secret"
    secret.write_bytes(b"password")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = [1.0]
    with h5py.File(tmp_path / "external.vtkhdf", "w") as file:
        file.create_dataset("VTKHDF/x", (8,), "u1", external=[(str(secret), 0, 8)])
    with h5py.File(tmp_path / "linked.vtkhdf", "w") as file:
        file["VTKHDF/Steps"] = h5py.ExternalLink("other.h5", "/")
    layout = h5py.VirtualLayout((1,), "f8")
    layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "x", (1,))
    with h5py.File(tmp_path / "virtual.vtkhdf", "w") as file:
        file.create_virtual_dataset("VTKHDF/x", layout)
    with h5py.File(tmp_path / "ring.vtkhdf", "w") as file:
        group = file.create_group("VTKHDF")
        group["again"] = group
    for name in ("external", "linked", "virtual", "ring"):
        with pytest.raises(OSError, match=r"another file|within itself"):
            open_file(tmp_path / f"{name}.vtkhdf", "r")
