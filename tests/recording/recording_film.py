"""A small body in motion, its frames, and VTK's own reader as the judge of files."""

import json
import subprocess
import sys

import numpy as np

from supple.recording.cells import Cells

VERTICES = 6
CELLS = Cells.join([np.array([[0, 1, 2, 3]]), np.array([[2, 3, 4]]), np.array([[4, 5]])])
METADATA = {"units": "SI", "up": "y", "scene": "jelly", "supple": "0.1.0", "seconds": 1.0}

_READ = """
import json, sys
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.util.numpy_support import vtk_to_numpy
for path in sys.argv[1:]:
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    frames = []
    for k in range(reader.GetNumberOfSteps()):
        reader.SetStep(k)
        reader.Update()
        grid = reader.GetOutput()
        data = grid.GetPointData()
        frames.append({
            "time": reader.GetTimeValue(),
            "points": vtk_to_numpy(grid.GetPoints().GetData()).tolist(),
            "velocity": vtk_to_numpy(data.GetArray("velocity")).tolist(),
            "energy": vtk_to_numpy(data.GetArray("energy")).tolist(),
            "types": [grid.GetCellType(i) for i in range(grid.GetNumberOfCells())],
            "corners": [[grid.GetCell(i).GetPointId(j) for j in range(grid.GetCell(i).GetNumberOfPoints())]
                        for i in range(grid.GetNumberOfCells())],
        })
    print(json.dumps(frames))
"""


def frame(k):
    """Time, positions, velocities and energies of frame k."""
    rng = np.random.default_rng(k)
    return 0.25 * k, rng.normal(size=(VERTICES, 3)), rng.normal(size=(VERTICES, 3)), rng.random(VERTICES)


def read_with_vtk(*paths):
    """All frames of each file as VTK sees them; in a separate process, since a bad file can crash VTK."""
    done = subprocess.run([sys.executable, "-c", _READ, *map(str, paths)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_vtk_frames(frames, count):
    """VTK sees the first `count` frames as they were recorded."""
    for k in range(count):
        t, x, v, energy = frame(k)
        assert frames[k]["time"] == t
        np.testing.assert_array_equal(np.float32(frames[k]["points"]), x.astype(np.float32))
        np.testing.assert_array_equal(np.float32(frames[k]["velocity"]), v.astype(np.float32))
        np.testing.assert_array_equal(np.float32(frames[k]["energy"]), energy.astype(np.float32))
        assert frames[k]["types"] == [10, 5, 3]
        assert frames[k]["corners"] == [[0, 1, 2, 3], [2, 3, 4], [4, 5]]


def assert_frames(animation, count):
    """Our reader sees exactly `count` frames as they were recorded."""
    assert len(animation) == count
    for k in range(count):
        t, x, v, energy = frame(k)
        assert animation.times[k] == t
        np.testing.assert_array_equal(animation.points(k), x.astype(np.float32))
        np.testing.assert_array_equal(animation.velocities(k), v.astype(np.float32))
        np.testing.assert_array_equal(animation.energies(k), energy.astype(np.float32))
