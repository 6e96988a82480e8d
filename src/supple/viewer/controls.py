"""The panel of the live page: buttons, choices and sliders, and what they mean as settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from supple.scene.schema import Scene
from supple.viewer.messages import Message, Play, RealTime, Reset, Step
from supple.viewer.settings import Settings, integrator_choices, material_choices

if TYPE_CHECKING:
    from viser import ViserServer

NO_GHOST = "none"
BUTTONS: dict[str, Message] = {"play": Play(True), "pause": Play(False), "step": Step(), "reset": Reset()}
DECADES = 2.0
"""Stiffness may be changed by so many powers of ten either way."""


class Buttons:
    """Play, pause, step, reset; whether to keep to the clock."""

    def __init__(self, server: ViserServer, send: Callable[[Message], None]) -> None:
        group = server.gui.add_button_group("run", tuple(BUTTONS))
        group.on_click(lambda _: send(BUTTONS[group.value]))
        clock = server.gui.add_checkbox("real time", True, hint="Not faster than the clock.")
        clock.on_update(lambda _: send(RealTime(clock.value)))


class Controls:
    """Integrator, material, ghost and sliders."""

    def __init__(
        self,
        server: ViserServer,
        scene: Scene,
        settings: Settings,
        changed: Callable[[], None],
        ghost: str = "",
    ) -> None:
        gui = server.gui
        self._start = settings
        self._ms = round(1000.0 * settings.step, 4)
        tick = float(f"{self._ms / 20:.1g}")
        methods, materials = integrator_choices(), material_choices(scene)
        self._integrator = gui.add_dropdown("integrator", methods, initial_value=settings.integrator)
        self._ghost = gui.add_dropdown(
            "ghost", (NO_GHOST, *methods), initial_value=ghost or NO_GHOST,
            hint="A second integrator beside the first, translucent; both start anew.",
        )  # fmt: skip
        self._material: Any = None
        if materials:
            self._material = gui.add_dropdown("material", materials, initial_value=settings.material)
        self._step = gui.add_slider(
            "step  [ms]", tick, max(80 * tick, 2 * self._ms), tick, self._ms, hint="Time step h."
        )
        self._stiffness = gui.add_slider(
            "stiffness 10^", -DECADES, DECADES, 0.05, 0.0, hint="Factor on the scene's stiffness, as a power of ten."
        )
        self._damping = gui.add_slider(
            "damping  [1/s]", 0.0, 5.0, 0.05, 0.0, hint="Ether drag: the rate at which velocities decay."
        )
        self._gravity = gui.add_slider("gravity  [m/s²]", 0.0, max(20.0, 2 * settings.gravity), 0.01, settings.gravity)
        for control in (self._integrator, self._material, self._step, self._stiffness, self._damping, self._gravity):
            if control is not None:
                control.on_update(lambda _: changed())

    @property
    def settings(self) -> Settings:
        """As all controls stand."""
        # an untouched slider must not change the step by its rounding
        moved = abs(self._step.value - self._ms) > 1e-9 * self._ms
        return replace(
            self._start,
            integrator=self._integrator.value,
            material=self._material.value if self._material is not None else self._start.material,
            step=1e-3 * self._step.value if moved else self._start.step,
            stiffness=10.0**self._stiffness.value,
            damping=self._damping.value,
            gravity=self._gravity.value,
        )

    @property
    def ghost(self) -> str:
        """The second integrator; empty if there is none."""
        return "" if self._ghost.value == NO_GHOST else self._ghost.value
