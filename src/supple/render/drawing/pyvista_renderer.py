"""Bodies and obstacles drawn by VTK through pyvista, off screen, with smooth shading and several samples per pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.render.colouring import table
from supple.render.drawing.backdrop import Pixels
from supple.render.drawing.ground import Ground
from supple.render.drawing.pieces import Piece, Placed
from supple.render.drawing.studio.gl_shading import dress
from supple.render.drawing.studio.gl_shading import light as light_actor
from supple.render.shot import AMBIENT, Shot

_SAMPLES = 8
_NORMALS, _VALUES, _COLOURS = "Normals", "values", "colours"


class PyvistaRenderer:
    """One window, used for all runs in turn."""

    def __init__(self, shot: Shot, pieces: Sequence[Sequence[Piece]]) -> None:
        import pyvista

        view = shot.view
        self._size = view.width, view.height
        self._plotter = pyvista.Plotter(off_screen=True, window_size=[*self._size], lighting="none")
        # transparent black, so a partly covered pixel contains only the body's share of colour
        self._plotter.set_background("black")
        self._plotter.renderer.SetBackgroundAlpha(0.0)
        self._window = self._plotter.render_window
        self._window.SetMultiSamples(_SAMPLES)
        self._window.SetAlphaBitPlanes(1)
        self._meshes: list[list[Any]] = []
        self._actors: list[list[Any]] = []
        for some in pieces:
            made = [_actor(piece) for piece in some]
            self._meshes.append([mesh for mesh, _ in made])
            self._actors.append([actor for _, actor in made])
            for _, actor in made:
                self._plotter.add_actor(actor, reset_camera=False, render=False)
        self._pieces = pieces
        for coats, some, actors in zip(shot.coats, pieces, self._actors, strict=False):
            for piece, actor in zip(some, actors, strict=True):
                dress(actor, coats[piece.part.name].feel)
        self.aim(shot)

    def aim(self, shot: Shot) -> None:
        """See `Renderer`."""
        import pyvista

        view, camera = shot.view, self._plotter.camera
        camera.position, camera.focal_point, camera.up = view.eye, view.centre, view.axes[1]
        camera.view_angle = 2 * view.half_angle
        slope = np.tan(np.radians(view.half_angle))
        camera.SetWindowCenter(view.shift[0] * view.height / (slope * view.width), view.shift[1] / slope)
        # a floor may extend far beyond the visible range, and towards the viewer too
        camera.clipping_range = 0.02 * view.distance, view.distance + 50 * shot.size
        self._plotter.remove_all_lights()
        for direction, strength in shot.lights:
            light = pyvista.Light(light_type="scene light", intensity=strength)
            light.positional = False
            light.position, light.focal_point = view.centre + direction * shot.size, view.centre
            self._plotter.add_light(light)
        for ground, some, actors in zip(shot.grounds, self._pieces, self._actors, strict=True):
            hides = ground.colour is not None and ground.above(view.eye[None])[0] > 0
            for piece, actor in zip(some, actors, strict=True):
                if shot.look.shaded:
                    light_actor(actor, shot)
                actor.mapper.RemoveAllClippingPlanes()
                if hides:
                    actor.mapper.AddClippingPlane(_plane(ground, piece.sunk(shot.size)))

    def draw(self, run: int, placed: list[Placed], behind: Pixels) -> Pixels:
        """See `Renderer`."""
        for k, actors in enumerate(self._actors):
            for actor in actors:
                actor.SetVisibility(k == run)
        for mesh, now in zip(self._meshes[run], placed, strict=True):
            if now.piece.changes:
                mesh.clear_data()
            mesh.points = now.points.astype(np.float32)
            if now.piece.changes:
                mesh.regular_faces = now.faces
            mesh.point_data[_NORMALS] = now.normals.astype(np.float32)
            mesh.point_data.active_normals_name = _NORMALS
            if now.piece.scaled:
                mesh.point_data[_VALUES] = now.values.astype(np.float32)
                mesh.set_active_scalars(_VALUES)
            else:
                mesh.point_data[_COLOURS] = (255 * now.colours + 0.5).astype(np.uint8)
                mesh.set_active_scalars(_COLOURS)
        return self._pixels().astype(np.float32) / np.float32(255)

    def close(self) -> None:
        """Close the window."""
        self._plotter.close()

    def _pixels(self) -> npt.NDArray[np.uint8]:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter

        self._window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(self._window)
        grab.SetInputBufferTypeToRGBA()
        grab.ReadFrontBufferOff()
        grab.ShouldRerenderOff()
        grab.Update()
        width, height = self._size
        pixels: npt.NDArray[np.uint8] = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars())
        return pixels.reshape(height, width, 4)[::-1]


def _actor(piece: Piece) -> tuple[Any, Any]:
    """A mesh without geometry yet, and its appearance."""
    import pyvista
    from matplotlib.colors import ListedColormap

    faces = piece.fixed_faces
    count = 1 + int(faces.max(initial=0))  # one for a piece with changing faces, since no array may be empty
    mesh = pyvista.PolyData.from_regular_faces(np.zeros((count, 3), dtype=np.float32), faces)
    mapper = pyvista.DataSetMapper(mesh)
    if piece.scaled:
        mesh.point_data[_VALUES] = np.zeros(count, dtype=np.float32)
        mapper.lookup_table = pyvista.LookupTable(ListedColormap(table()), scalar_range=(0.0, 1.0))
        mapper.scalar_range = 0.0, 1.0
        # values are interpolated and then coloured; interpolated colours on a large triangle would leave the table
        mapper.interpolate_before_map = True
    else:
        if count:  # a cloud has different points at every time, and none yet; VTK refuses empty colours
            mesh.point_data[_COLOURS] = np.zeros((count, 3), dtype=np.uint8)
        mapper.SetColorModeToDirectScalars()
    actor = pyvista.Actor(mapper=mapper)
    look = actor.prop
    look.interpolation = "Phong"
    look.ambient, look.diffuse, look.specular_power = AMBIENT, 1.0, 18.0
    look.specular = 0.0 if piece.part.obstacle else 0.1
    look.culling = "back" if piece.culled else "none"
    return mesh, actor


def _plane(ground: Ground, below: float) -> Any:
    """Clip everything below the ground."""
    from vtkmodules.vtkCommonDataModel import vtkPlane

    plane = vtkPlane()
    plane.SetOrigin(*(ground.middle - below * ground.axes[2]))
    plane.SetNormal(*ground.axes[2])
    return plane
