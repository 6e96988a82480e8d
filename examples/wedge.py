"""A wedge: four stiffnesses by three dampings of a bar that drops under its own weight, on all cores; then look and choose.

A stiff bar sags by an amount that is inverse to its stiffness. Damping decides how much energy is lost.
"""

import tempfile
from pathlib import Path

import numpy as np

import supple as sp

STIFFNESSES = [8e5, 1.6e6, 3.2e6, 6.4e6]
DAMPINGS = [50.0, 200.0, 800.0]


def main() -> None:
    bar = sp.Body(sp.Bar(cells=(4, 1, 1), size=(1.0, 0.2, 0.2)), sp.StVK.from_young(1e6, 0.3), name="bar", pin="left")
    world = sp.World([bar], gravity=(0, -9.81, 0), damping=[sp.Viscosity(shear=1.0)])
    with tempfile.TemporaryDirectory() as folder:
        found = sp.sweep(
            world,
            {"body.0.material.young": STIFFNESSES, "damping.0.shear": DAMPINGS},
            {"sag": "bar.right.y@start - bar.right.y@min", "lost": "dissipated@end / kinetic@max"},
            h=1 / 60,
            steps=60,
            workers=2,
            out=Path(folder) / "wedge",
            progress=False,
        )
        assert found.errors == {}
        sag, lost = (np.reshape(found.columns[name], (4, 3)) for name in ("sag", "lost"))
        most = {name: found.sensitivity().of(name)[0] for name in ("sag", "lost")}
    print(f"sag [m], a row per stiffness and a column per damping\n{sag.round(4)}")
    print(f"energy lost to damping, over the largest kinetic energy\n{lost.round(3)}")
    print({name: f"{one.key} explains {one.first:.3f} of its variance" for name, one in most.items()})
    assert np.allclose(sag[2] / sag[3], 2.0, rtol=0.02)
    assert (np.diff(lost, axis=1) > 0.0).all()
    assert most["sag"].key == "body.0.material.young"
    assert most["sag"].first > 0.99
    assert most["lost"].key == "damping.0.shear"


if __name__ == "__main__":
    main()
