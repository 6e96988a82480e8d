"""Seams and pleats."""

from pathlib import Path

import numpy as np
import pytest

import supple as sp
from supple.energies.bending.dihedral import DihedralBending
from supple.errors import SceneError, SuppleError
from supple.formulas.curves import Curve
from supple.loop import Frame
from supple.model.sewing.chains import chain_of
from supple.model.sewing.pleat import Pleat
from supple.model.sewing.seam import Seam, pairs
from supple.runs.judge import judge

SHEET = {"young": 2e4, "poisson": 0.3}


def panel(name: str, z: float, cells: tuple[int, int] = (4, 3), **more: object) -> sp.Body:
    cloth = sp.Cloth(cells=cells, size=(0.4, 0.3), plane="xy", origin=(0.0, 0.0, z))
    return sp.Body(cloth, sp.StVKMembrane(**SHEET), name=name, thickness=1e-3, density=300.0, **more)


def sewn(*seams: Seam, **more: object) -> sp.Model:
    bodies = [panel("front", 0.05, pin="top"), panel("back", -0.05, **more)]
    return sp.assemble(sp.World(bodies, seams=seams))


def gap(model: sp.Model, frame: Frame) -> float:
    elements, c = pairs(model.world.seams[0], model.placed, model.state.x)
    return float(np.linalg.norm(np.einsum("mk,mki->mi", c, frame.state.x[elements]), axis=1).max())


def kept(frame: Frame) -> float:
    """Largest energy residual over the energy in play."""
    ledger = frame.ledger
    return abs(ledger.residual) / max(abs(ledger.external_work), 1e-3)


@pytest.mark.parametrize("pairing", ["nearest", "order"])
def test_a_seam_closes_holds_and_is_accounted_for(pairing: str) -> None:
    seam = Seam("front.left", "back.left", tolerance=1e-3, closing=0.2, pairing=pairing, damping=0.1)
    model = sewn(seam, pin="top")
    damping = sp.Rayleigh(mass=3.0, stiffness=2e-3)
    world = sp.World(model.world.bodies, seams=(seam,), damping=[damping])
    model = sp.assemble(world)
    frames = list(sp.simulate(model, sp.AVF(), h=0.01, steps=50))
    assert gap(model, frames[0]) == pytest.approx(0.1)
    # the pinned top corner cannot follow
    elements, c = pairs(seam, model.placed, model.state.x)
    apart = np.linalg.norm(np.einsum("mk,mki->mi", c, frames[-1].state.x[elements]), axis=1)
    assert np.sort(apart)[:-1].max() < 3e-3
    assert max(map(kept, frames)) < 1e-10
    assert frames[-1].ledger.external_work > 0.0


def test_stitches_pull_both_ends_alike() -> None:
    """Nothing is held and nothing pulls from outside: momenta stay."""
    seam = Seam("front.left", "back.left", stiffness=5.0, closing=0.3)
    bodies = [panel("front", 0.05), panel("back", -0.05)]
    model = sp.assemble(sp.World(bodies, gravity=0.0, seams=[seam]))
    frames = list(sp.simulate(model, sp.AVF(), h=0.01, steps=30))
    first, last = frames[0].momenta(), frames[-1].momenta()
    assert np.abs(np.asarray(last[0]) - np.asarray(first[0])).max() < 1e-12
    assert np.abs(np.asarray(last[1]) - np.asarray(first[1])).max() < 1e-12
    assert gap(model, frames[-1]) < 0.1
    assert max(map(kept, frames)) < 1e-10


def test_each_vertex_of_both_edges_is_sewn() -> None:
    fine = sp.assemble(
        sp.World(
            [panel("front", 0.05, (4, 3)), panel("back", -0.05, (7, 5))], seams=[Seam("front.top", "back.top", 1.0)]
        )
    )
    for pairing in ("nearest", "order"):
        seam = Seam("front.top", "back.top", 1.0, pairing=pairing)
        elements, c = pairs(seam, fine.placed, fine.state.x)
        both = np.concatenate([fine.mesh.groups["front.top"], fine.mesh.groups["back.top"]])
        assert set(elements[np.abs(c) > 1e-9]) == set(both)
        assert np.abs(c.sum(axis=1)).max() < 1e-12
    ends = np.einsum("mk,mki->mi", c, fine.state.x[elements])
    assert np.allclose(ends[:, :2], 0.0, atol=1e-12)  # each stands before its partner
    assert len(elements) == 8


def test_loops_are_turned_until_they_fit() -> None:
    """Two tubes above each other, one of them turned by three cells and upside down."""
    lower = sp.Body(sp.Tube(radius=0.1, length=0.2, cells=(8, 2)), sp.HookeSpring(stretch=10.0), name="lower", mass=0.1)
    turn = sp.Turn(axis=(1, 0, 0), angle=np.pi)
    initial = sp.Initial(rotate=turn, translate=(0.0, 0.3, 0.0))
    tube = sp.Tube(radius=0.1, length=0.2, cells=(16, 2))
    upper = sp.Body(tube, sp.HookeSpring(stretch=10.0), name="upper", mass=0.1, initial=initial)
    model = sp.assemble(sp.World([lower, upper], gravity=0.0))
    elements, c = pairs(Seam("lower.top", "upper.top", 1.0, pairing="order"), model.placed, model.state.x)
    across = np.einsum("mk,mki->mi", c, model.state.x[elements])
    assert len(elements) == 16
    assert np.hypot(across[:, 0], across[:, 2]).max() < 0.02
    assert np.abs(across[:, 1]) == pytest.approx(0.1)


def test_chains_follow_the_edge() -> None:
    mesh = sp.Cloth(cells=(5, 4), plane="xy").mesh()
    chain = chain_of(mesh, mesh.groups["left"])
    heights = mesh.vertices[chain.vertices, 1]
    assert not chain.closed
    assert np.all(np.diff(heights) > 0) or np.all(np.diff(heights) < 0)
    rim = np.unique(np.concatenate([mesh.groups[name] for name in ("left", "right", "bottom", "top")]))
    assert chain_of(mesh, rim).closed
    with pytest.raises(SuppleError, match="do not form one line of edges"):
        chain_of(mesh, np.union1d(mesh.groups["left"], mesh.groups["right"]))


def test_wrong_seams_are_explained() -> None:
    def refused(*seams: Seam) -> str:
        with pytest.raises(SceneError) as caught:
            sewn(*seams)
        return str(caught.value)

    said = refused(Seam("front.lift", "back.left", 1.0), Seam("front.left", "bach.left", 1.0))
    assert "seam[0].from: unknown group 'lift' of 'front'; did you mean 'left'?" in said
    assert "seam[1].to: unknown body 'bach'" in said
    assert "have all their vertices in common" in refused(Seam("front.left", "front.left", 1.0))
    assert "seam[0].from: its vertices do not form one line of edges" in refused(
        Seam("front", "back", 1.0, pairing="order")
    )
    with pytest.raises(SuppleError, match="stiffness"):
        Seam("a.b", "c.d")
    with pytest.raises(SuppleError, match="closing: a stiffness that changes"):
        Seam("a.b", "c.d", Curve("t"), closing=1.0)


def test_seams_and_pleats_as_text(tmp_path: Path) -> None:
    fold = Pleat(90.0, (((0.1, 0.0, 0.0), (0.1, 0.3, 0.0)),), alternate=True)
    front = panel("front", 0.0, pin="top", bending=sp.Bending("dihedral", rigidity=1e-4), pleats=(fold,))
    seam = Seam("front.left", "back.left", tolerance=1e-3, closing=0.2, pairing="order")
    world = sp.World([front, panel("back", -0.1)], seams=seam)
    (tmp_path / "scene.toml").write_text(world.to_toml())
    text = (tmp_path / "scene.toml").read_text()
    assert '[[seam]]\nfrom = "front.left"' in text
    assert sp.load(tmp_path / "scene.toml").world == world


def folded(angle: float, **more: object) -> tuple[sp.Model, DihedralBending]:
    lines = tuple(((x, 0.0, 0.0), (x, 0.3, 0.0)) for x in (0.1, 0.2, 0.3))
    pleat = Pleat(angle, lines, **more)  # type: ignore[arg-type]
    cloth = panel("cloth", 0.0, bending=sp.Bending("dihedral", rigidity=1e-3), pleats=(pleat,))
    model = sp.assemble(sp.World([cloth], gravity=0.0))
    (term,) = (term for term in model.ingredients.elastic if isinstance(term, DihedralBending))
    return model, term


@pytest.mark.parametrize("angle", [60.0, -100.0])
def test_a_pleat_rests_at_its_angle(angle: float) -> None:
    """A folded strip of paper has no bending energy; folded the other way it has."""
    model, term = folded(angle, alternate=True)
    turn = np.radians(angle)

    def bent(sign: float) -> np.ndarray:
        x, slope, at = np.zeros((5, 3)), 0.0, np.zeros(3)
        for k in range(1, 5):
            at = at + 0.1 * np.array([np.cos(slope), 0.0, np.sin(slope)])
            x[k] = at
            # normals point to +z: a ridge turns the rest of the strip down, away from them
            slope -= sign * turn * (-1) ** (k - 1)
        column = np.rint(model.mesh.vertices[:, 0] / 0.1).astype(int)
        return x[column] + model.mesh.vertices * [0.0, 1.0, 0.0]

    assert term.element_values(bent(1.0)).max() < 1e-18
    assert term.element_values(bent(-1.0)).max() > 1e-6
    assert term.element_values(model.mesh.vertices).max() > 1e-6


def test_pleats_that_grow_are_accounted_for() -> None:
    lines = (((0.2, 0.0, 0.0), (0.2, 0.3, 0.0)),)
    pleat = Pleat(Curve(keys=((0.0, 0.0), (0.2, 90.0)), interpolation="smooth"), lines, stiffness=5.0)
    cloth = panel("cloth", 0.0, bending=sp.Bending("dihedral", rigidity=1e-3), pleats=(pleat,), pin="left")
    model = sp.assemble(sp.World([cloth], gravity=0.0))
    frames = list(sp.simulate(model, sp.AVF(), h=0.01, steps=25))
    play = max(abs(frame.ledger.external_work) for frame in frames)
    assert play > 1e-5
    assert max(abs(frame.ledger.residual) for frame in frames) < 1e-10 * play
    assert "cloth.pleats" in frames[-1].ledger.timed


def test_wrong_pleats_are_explained() -> None:
    def refused(bending: sp.Bending | None, pleat: Pleat) -> str:
        with pytest.raises(SceneError) as caught:
            sp.assemble(sp.World([panel("cloth", 0.0, bending=bending, pleats=(pleat,))]))
        return str(caught.value)

    stiff = sp.Bending("dihedral", rigidity=1e-4)
    line = (((0.1, 0.0, 0.0), (0.1, 0.3, 0.0)),)
    assert "body[0].pleats: pleats are rest angles" in refused(None, Pleat(90.0, line))
    assert "body[0].pleats: pleats are rest angles" in refused(sp.Bending(rigidity=1e-4), Pleat(90.0, line))
    off = (((0.13, 0.0, 0.0), (0.13, 0.3, 0.0)),)
    assert "body[0].pleats[0].along[0]: no inner edge of the mesh lies on the line" in refused(stiff, Pleat(90.0, off))
    assert "body[0].pleats[0].along: unknown group 'fold'" in refused(stiff, Pleat(90.0, "fold"))
    with pytest.raises(SuppleError, match="angle"):
        Pleat(180.0, line)


def test_a_run_says_how_wide_a_seam_is(tmp_path: Path) -> None:
    text = sewn(Seam("front.left", "back.left", 1.0)).world.to_toml(steps=2, h=0.01)
    (tmp_path / "scene.toml").write_text(
        text + "\n[expect.closed]\nseam = 0\nbelow = 0.2\n[expect.none]\nseam = 3\nbelow = 1.0\n"
    )
    sp.run(tmp_path / "scene.toml", out=tmp_path / "run", progress=False)
    closed, none = judge(tmp_path / "run")
    assert closed.passes
    assert closed.figure == pytest.approx(0.1, abs=0.02)
    assert "widest gap of seam 0" in closed.found
    assert not none.passes
