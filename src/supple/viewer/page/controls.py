"""The panel of the live page: buttons, choices and sliders, and the resulting settings.

Each control has a name for the visible effect, and the symbol of the quantity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from supple.model.world import World
from supple.viewer.messages import Message, Play, RealTime, Reset, Step
from supple.viewer.settings import (
    Settings,
    first_friction,
    first_poisson,
    has_own_masses,
    integrator_choices,
    material_choices,
)

if TYPE_CHECKING:
    from viser import ViserServer

NO_GHOST = "none"
BUTTONS: dict[str, Message] = {"play": Play(True), "pause": Play(False), "step": Step(), "reset": Reset()}
DECADES = 2.0
"""Range of stiffness and density factors, in powers of ten in both directions."""
LEAST, MOST = -0.9, 0.495
"""Limits of the slider of Poisson's ratio, which begins at 0 unless the scene has less."""


class Buttons:
    """Play, pause, step, reset, and real-time pacing."""

    def __init__(self, server: ViserServer, send: Callable[[Message], None]) -> None:
        group = server.gui.add_button_group("run", tuple(BUTTONS))
        group.on_click(lambda _: send(BUTTONS[group.value]))
        clock = server.gui.add_checkbox("real time", True, hint="Run no faster than real time.")
        clock.on_update(lambda _: send(RealTime(clock.value)))


class Controls:
    """Integrator, material, ghost and sliders."""

    def __init__(
        self,
        server: ViserServer,
        world: World,
        settings: Settings,
        changed: Callable[[], None],
        ghost: str = "",
    ) -> None:
        self._gui, self._start, self._changed = server.gui, settings, changed
        self._add_body(world, settings)
        self._add_surroundings(world, settings)
        self._add_method(settings, ghost)

    def _add_body(self, world: World, settings: Settings) -> None:
        materials = material_choices(world)
        self._material: Any = None
        if materials:
            self._material = self._gui.add_dropdown(
                "material (law)",
                materials,
                initial_value=settings.material,
                hint="Material, or its response to large strains.",
            )
            self._material.on_update(lambda _: self._changed())
        self._stiffness = self._slider(
            "stiffness (Young's modulus E) 10^", (-DECADES, DECADES, 0.05), 0.0,
            "Left: softer, droops and wobbles slowly. Right: stiffer, quick small shakes. A factor on all stiffnesses "
            "of the scene, as a power of ten.",
        )  # fmt: skip
        self._poisson = self._scene_slider(
            "volume conservation (Poisson's ratio \N{GREEK SMALL LETTER NU})", first_poisson(world), (0.0, MOST, 0.005),
            "Bulging under compression. 0: like cork, no bulging. Near 0.5: like rubber or flesh, "
            "the volume is conserved.",
        )  # fmt: skip
        self._density: Any = None
        if has_own_masses(world):
            self._density = self._slider(
                "weight (density \N{GREEK SMALL LETTER RHO}) 10^", (-DECADES, DECADES, 0.05), 0.0,
                "Left: light, driven by its stiffness. Right: heavy, sags and swings slowly. A factor on the scene's "
                "densities and masses, as a power of ten.",
            )  # fmt: skip
        self._damping = self._slider(
            "damping [1/s]", (0.0, 5.0, 0.05), 0.0,
            "Ether drag added to the scene. Velocities decay by 63 % in the inverse of this rate.",
        )  # fmt: skip

    def _add_surroundings(self, world: World, settings: Settings) -> None:
        self._friction = self._scene_slider(
            "grip (friction \N{GREEK SMALL LETTER MU})", first_friction(world), (0.0, 1.5, 0.01),
            "0: slides as on ice. 0.5: like wood. 1 and more: sticks like rubber. Applies to all contacts of the scene.",
        )  # fmt: skip
        self._gravity = self._scene_slider(
            "gravity g [m/s²]", settings.gravity, (0.0, max(20.0, 2 * settings.gravity), 0.01),
            "Earth: 9.81, Moon: 1.62.",
        )  # fmt: skip

    def _add_method(self, settings: Settings, ghost: str) -> None:
        self._ms = round(1000.0 * settings.step, 4)
        tick = float(f"{self._ms / 20:.1g}")
        methods = integrator_choices()
        self._integrator = self._gui.add_dropdown(
            "method (integrator)", methods, initial_value=settings.integrator,
            hint="Time integration: avf conserves energy, backward-euler damps.",
        )  # fmt: skip
        self._integrator.on_update(lambda _: self._changed())
        self._ghost = self._gui.add_dropdown(
            "ghost (compare)", (NO_GHOST, *methods), initial_value=ghost or NO_GHOST,
            hint="A second, translucent run with this integrator; both restart.",
        )  # fmt: skip
        self._step = self._slider(
            "time step h [ms]", (tick, max(80 * tick, 2 * self._ms), tick), self._ms,
            "Shorter: more accurate, slower to compute.",
        )  # fmt: skip

    def _slider(self, label: str, span: tuple[float, float, float], value: float, hint: str) -> Any:
        low, high, tick = span
        slider = self._gui.add_slider(label, low, high, tick, value, hint=hint)
        slider.on_update(lambda _: self._changed())
        return slider

    def _scene_slider(
        self, label: str, value: float | None, span: tuple[float, float, float], hint: str
    ) -> tuple[Any, float] | None:
        """A slider and its initial position, for a value that may differ between bodies or contacts: they keep their own values
        until it is moved. None if the scene has no such value."""
        if value is None:
            return None
        low, high, tick = span
        if value < low:
            low = LEAST
        slider = self._slider(label, (low, max(high, value), tick), value, hint)
        return slider, slider.value

    @property
    def settings(self) -> Settings:
        """The settings of all controls."""
        # an untouched slider must not change the step by its rounding
        moved = abs(self._step.value - self._ms) > 1e-9 * self._ms
        return replace(
            self._start,
            integrator=self._integrator.value,
            material=self._material.value if self._material is not None else self._start.material,
            step=1e-3 * self._step.value if moved else self._start.step,
            stiffness=10.0**self._stiffness.value,
            poisson=_moved(self._poisson),
            density=10.0**self._density.value if self._density is not None else 1.0,
            damping=self._damping.value,
            friction=_moved(self._friction),
            gravity=self._start.gravity if (g := _moved(self._gravity)) is None else g,
        )

    @property
    def ghost(self) -> str:
        """The second integrator; empty for none."""
        return "" if self._ghost.value == NO_GHOST else self._ghost.value


def _moved(slider: tuple[Any, float] | None) -> float | None:
    """The value of a slider once moved."""
    if slider is None or slider[0].value == slider[1]:
        return None
    return float(slider[0].value)
