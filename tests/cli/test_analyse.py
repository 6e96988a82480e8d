"""`supple analyse`: each command end to end with small sizes, its files, its JSON, and refusals."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from command import here, last_json, supple, write_scene

from supple.cli.analyse.methods import methods, reference_method, timed_methods
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.newmark import GeneralizedAlpha, Newmark

PNG = b"\x89PNG\r\n\x1a\n"
SHEET = ["spring-sheet", "--duration", 0.1]
COLUMNS = [
    "integrator", "steps", "h", "error_x", "error_v", "error_energy", "error_modes", "cpu_seconds", "wall_seconds",
    "iterations", "taken", "evaluations", "failure",
]  # fmt: skip


def rows(file: Path) -> tuple[list[str], list[dict[str, str]]]:
    with file.open(newline="") as lines:
        reader = csv.DictReader(lines)
        found = list(reader)
    return list(reader.fieldnames or []), found


def is_png(file: Path) -> bool:
    return file.read_bytes().startswith(PNG)


def test_damping_curves(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "backward-euler,generalized-alpha:rho=0.8,avf"
    here("analyse", "damping-curves", "--integrators", words, "--at", "10,0.1,1", "--csv", "d.csv", "--json")
    captured = capsys.readouterr()
    found = last_json(captured.out)
    assert len(captured.out.splitlines()) == 1
    assert (found["csv"], found["plot"]) == ("d.csv", "damping-curves.png")
    columns, table = rows(in_folder / "d.csv")
    assert columns == ["integrator", "h_omega", "damping_over_omega"]
    assert [row["integrator"] for row in table] == [name for name in words.split(",") for _ in range(3)]
    assert [float(row["h_omega"]) for row in table[:3]] == [0.1, 1.0, 10.0]
    figures = [float(row["damping_over_omega"]) for row in table]
    assert figures[:6] == pytest.approx(
        [9.950331e-02, 6.931472e-01, 4.615121e-01, 1.367688e-06, 1.051048e-03, 1.455892e-02], rel=1e-6
    )
    assert max(map(abs, figures[6:])) <= 1e-12
    assert [point["damping_over_omega"] for point in found["points"]] == figures
    assert is_png(in_folder / "damping-curves.png")


@pytest.mark.usefixtures("blank")
def test_damping_curves_of_a_method_that_cannot_advance_an_oscillator(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here("analyse", "damping-curves", "--integrators", "mpm", "--at", "0.5")
    assert "mpm moves material points, and this system has none" in capsys.readouterr().out


@pytest.mark.usefixtures("blank")
def test_damping_curves_by_default(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "damping-curves", "--at", "0.5")
    out = capsys.readouterr().out
    assert "table  damping-curves.csv\nplot   damping-curves.png\n" in out
    _, table = rows(in_folder / "damping-curves.csv")
    assert [row["integrator"] for row in table] == list(timed_methods())
    assert "quasi-static" not in timed_methods()


@pytest.mark.usefixtures("blank")
def test_the_default_grid(in_folder: Path) -> None:
    here("analyse", "damping-curves", "--integrators", "verlet")
    _, table = rows(in_folder / "damping-curves.csv")
    grid = [float(row["h_omega"]) for row in table]
    assert len(grid) >= 60
    assert (grid[0], grid[-1]) == pytest.approx((0.05, 100.0), rel=1e-12)


def test_order(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--integrators", "avf,rk4,forward-euler", "--steps", "128,64"]
    here("analyse", "order", *SHEET, *words, "--json")
    found = last_json(capsys.readouterr().out)
    columns, table = rows(in_folder / "order.csv")
    assert columns == COLUMNS
    assert [(row["integrator"], row["steps"]) for row in table[:3]] == [("avf", "64"), ("avf", "128"), ("rk4", "64")]
    runs = found["runs"]
    assert [float(row["error_x"]) for row in table] == [run["error_x"] for run in runs]
    assert runs[0]["order_x"] is None
    assert runs[1]["order_x"] == pytest.approx(2.0, abs=0.1)
    assert runs[1]["order_v"] == pytest.approx(2.0, abs=0.1)
    assert runs[3]["order_x"] == pytest.approx(4.0, abs=0.15)
    assert is_png(in_folder / "order.png")


@pytest.mark.usefixtures("blank")
def test_a_method_that_explodes_is_a_result(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--integrators", "verlet,avf", "--steps", "8", "--reference", "rk4:400"]
    here("analyse", "order", "spring-sheet", "--duration", 0.4, *words)
    out = capsys.readouterr().out
    assert "diverged" in next(line for line in out.splitlines() if line.startswith("verlet"))
    assert "e-0" in next(line for line in out.splitlines() if line.startswith("avf"))
    assert "against rk4:400" in out
    assert "largest coordinate error" in out


@pytest.mark.usefixtures("blank")
def test_a_method_that_fails_is_a_result(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--integrators", "backward-euler,rk4", "--steps", "32", "--set", "solver.max_iterations=1"]
    here("analyse", "order", *SHEET, *words)
    out = capsys.readouterr().out
    assert "backward-euler, 32 steps: failed: a stage was not minimised" in out
    assert "e-0" in next(line for line in out.splitlines() if line.startswith("rk4"))


def test_work_precision(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--integrators", "bdf2,verlet", "--steps", "16,32", "--csv", "w.csv", "--plot", "w.svg"]
    here("analyse", "work-precision", *SHEET, *words, "--json")
    found = last_json(capsys.readouterr().out)
    columns, table = rows(in_folder / "w.csv")
    assert columns == COLUMNS
    assert [run["iterations"] > 0 for run in found["runs"]] == [True, True, False, False]
    assert all(0.0 < float(row["wall_seconds"]) < 60.0 for row in table)
    assert all(0.0 < float(row["cpu_seconds"]) < 60.0 for row in table)
    assert found["winners"] == {"error_x": "verlet", "error_energy": "verlet", "error_modes": "verlet"}
    costs = [run["cpu_seconds"] / 0.1 for run in found["runs"]]
    assert found["budget"] == pytest.approx(max(min(costs[:2]), min(costs[2:])))
    assert [place["integrator"] for place in found["rankings"]["error_x"]] == ["verlet", "bdf2"]
    assert "<svg" in (in_folder / "w.svg").read_text()


@pytest.mark.usefixtures("blank")
def test_work_precision_for_an_accuracy(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--integrators", "avf,verlet,corotational-reversible,backward-euler", "--steps", "16,32", "--repeats", 2]
    here("analyse", "work-precision", *SHEET, *words, "--accuracy", 1e-3, "--budget", 100)
    out = capsys.readouterr().out
    assert "least CPU time for an error of 0.001 within 100 CPU s per simulated second" in out
    assert "winner for positions: verlet" in out
    assert "corotational-reversible, 16, 32 steps: refused: " in out
    assert "its best run has an error of 0.007" in next(
        line for line in out.splitlines() if line.startswith("backward-euler") and " - " in line
    )
    assert is_png(in_folder / "work-precision.png")


@pytest.mark.usefixtures("blank")
def test_adaptive_methods_beside_constant_steps(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    methods = "midpoint,adaptive-reversible:rule.name=elastic,rule.eps=0.5,verlet:adaptive.tolerance=1e-2"
    words = [
        "--integrators",
        methods,
        "--steps",
        "16,32",
        "--repeats",
        1,
        "--modes",
        0,
        "--against",
        "forces",
        "--json",
    ]
    here("analyse", "work-precision", *SHEET, *words)
    runs = last_json(capsys.readouterr().out)["runs"]
    assert not any(run["failure"] for run in runs)
    assert [run["taken"] for run in runs[:2]] == [16, 32]
    for first, second in zip(runs[::2], runs[1::2], strict=True):
        assert second["taken"] > 1.4 * first["taken"]
        assert second["error_x"] < first["error_x"]
        assert second["evaluations"] > first["evaluations"] > first["taken"]
    assert runs[2]["taken"] > 16
    assert is_png(in_folder / "work-precision.png")


@pytest.mark.usefixtures("blank")
def test_work_precision_without_modes(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--integrators", "verlet", "--steps", "16", "--repeats", 1, "--modes", 0, "--json"]
    here("analyse", "work-precision", *SHEET, *words)
    found = last_json(capsys.readouterr().out)
    assert found["runs"][0]["error_modes"] is None
    assert list(found["rankings"]) == ["error_x", "error_energy"]


def test_modes(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    against = "body[0].material.young=2e6"
    here("analyse", "modes", write_scene(in_folder), "--count", 1000, "--draw", 2, "--against", against, "--json")
    captured = capsys.readouterr()
    found = last_json(captured.out)
    assert "1000 modes requested, all 48 existing ones computed" in captured.err
    columns, table = rows(in_folder / "modes.csv")
    assert columns == ["body", "mode", "eigenvalue", "frequency"]
    soft, stiff = found["modes"][:48], found["modes"][48:]
    assert (len(table), len(stiff), stiff[0]["body"]) == (96, 48, against)
    for a, b in zip(soft, stiff, strict=True):
        assert b["eigenvalue"] == pytest.approx(100.0 * a["eigenvalue"], rel=1e-8)
        assert a["frequency"] == pytest.approx(a["eigenvalue"] ** 0.5 / 6.283185307179586, rel=1e-12)
    assert is_png(in_folder / "modes.png")
    assert is_png(in_folder / "mode-shapes.png")


@pytest.mark.parametrize(("scene", "words"), [("spinning-bar", ["--draw", 1]), ("spring-sheet", ["--initial"])])
@pytest.mark.usefixtures("blank")
def test_modes_of_other_bodies(
    in_folder: Path, capsys: pytest.CaptureFixture[str], scene: str, words: list[object]
) -> None:
    here("analyse", "modes", scene, "--count", 12, *words)
    flat = {"spinning-bar": 6, "spring-sheet": 12}[scene]
    assert f"12 modes, {flat} of them without stiffness, 0 unstable" in capsys.readouterr().out
    assert is_png(in_folder / "mode-shapes.png")


@pytest.mark.usefixtures("blank")
def test_modes_without_pictures(in_folder: Path) -> None:
    here("analyse", "modes", write_scene(in_folder), "--count", 3, "--draw", 0)
    assert not (in_folder / "mode-shapes.png").exists()


@pytest.mark.study
def test_the_real_command(in_folder: Path) -> None:
    done = supple("analyse", "damping-curves", "--integrators", "avf", "--at", "1", "--json", folder=in_folder)
    assert len(done.stdout.splitlines()) == 1
    assert last_json(done.stdout)["points"][0]["h_omega"] == 1.0


@pytest.mark.parametrize("words", [[], ["order"], ["modes"]])
def test_help_is_quick(words: list[str]) -> None:
    arguments = [sys.executable, "-X", "importtime", "-m", "supple", "analyse", *words, "--help"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=60)
    imported = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not imported & {"numpy", "scipy", "numba", "matplotlib", "rich"}


def test_methods_with_options() -> None:
    found = methods("avf, generalized-alpha:rho=0.8,newmark:beta=0.3,gamma=0.6,avf:rule=gauss-3,avf")
    assert found == {
        "avf": AVF(),
        "generalized-alpha:rho=0.8": GeneralizedAlpha(rho=0.8),
        "newmark:beta=0.3,gamma=0.6": Newmark(0.3, 0.6),
        "avf:rule=gauss-3": AVF("gauss-3"),
    }
    assert reference_method("generalized-alpha:rho=0.8:4096") == (GeneralizedAlpha(rho=0.8), 4096)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("avg", "--integrators: unknown integrator 'avg'; did you mean 'avf'? known: adaptive-explicit, "),
        ("newmark:beat=0.3", "--integrators: newmark.beat: unknown key; did you mean 'beta'? known: name, beta, gamma"),
        ("newmark:beta=0.9", "--integrators: newmark.beta: input should be less than or equal to 0.5, found 0.9"),
        ("newmark:beta=many", '--integrators: newmark.beta: input should be a valid number, found "many"'),
        ("newmark:0.3", "--integrators: newmark: found '0.3'; give options as newmark:key=value"),
        ("rk4:order=5", "--integrators: rk4.order: unknown key; known: name, budget"),
        (" , ", "--integrators: give at least one name"),
    ],
)
def test_bad_methods_are_refused(text: str, words: str) -> None:
    with pytest.raises(SuppleError) as problem:
        methods(text)
    assert str(problem.value).startswith(words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["damping-curves", "--at", "0.1,no"], "--at: found '0.1,no'; give numbers above 0"),
        (["damping-curves", "--at", "-1"], "--at: found '-1'; give numbers above 0"),
        (["damping-curves", "--at", "1e-300,1"], "--at: found '1e-300,1'; give numbers above 0, from 1e-08 to 1e+08"),
        (["damping-curves", "--csv", "no/d.csv"], "no/d.csv: the folder no does not exist"),
        (["order", "spring-sheet", "--steps", "8,1.5"], "--steps: found '8,1.5'; give whole numbers above 0"),
        (["order", "spring-sheet", "--duration", "-1"], "--duration: found -1; give a time above 0 [s]"),
        (["order", "spring-sheet", "--tolerance", "1"], "--tolerance: found 1; give a number above 0"),
        (["order", "spring-sheet", "--reference", "bdf2"], "--reference: found 'bdf2'; give dop853, or a method"),
        (["order", "spring-sheet", "--reference", "bdf3:9"], "--reference: unknown integrator 'bdf3'; did you mean"),
        (["work-precision", "spring-sheet", "--budget", "0"], "--budget: found 0; give a number above 0"),
        (["work-precision", "spring-sheet", "--accuracy", "-1"], "--accuracy: found -1; give a number above 0"),
        (["order", "spring-shet"], "unknown scene 'spring-shet'; did you mean 'spring-sheet'?"),
        (["modes", "jelly", "--against", "body[0].density=-1"], "body[0].density: input should be greater than 0"),
        (["modes", "jelly", "--plot", "."], ".: is a folder; give a file name"),
        (
            ["reversibility", "spring-sheet", "--steps", "10000000000000"],
            "--steps: about 1e+13 steps, but limits.steps allows",
        ),
        (
            ["order", "spring-sheet", "--set", "limits.steps=30", "--steps", "8,32"],
            "--steps: about 32 steps, but limits.steps",
        ),
        (
            ["order", "spring-sheet", "--duration", "1e12"],
            "--duration: about 3e+13 steps of time.step, but limits.steps",
        ),
        (["transfers", "--plot", "5"], "5: cannot draw a '.' file; known:"),
        (["modes", "jelly", "--shapes", "a.doc"], "a.doc: cannot draw a '.doc' file; known:"),
        (["order", "spring-sheet", "--csv", "scene.toml"], "scene.toml: found '.toml'; a table ends in .csv or .txt"),
        (["modes", "jelly", "--plot", "a.png", "--shapes", "./a.png"], "a.png: is given twice; give another name"),
        (["material", "gent", "--fit", "a.csv", "--csv", "a.csv"], "a.csv: is given twice; give another name"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_refusals(in_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    here("analyse", *arguments, code=2)
    assert capsys.readouterr().err.startswith(words)
    assert not list(in_folder.iterdir())
