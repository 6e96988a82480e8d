"""A run that is cancelled from a timer, as in a window, and then resumed; the same run without a stop beside it."""

import time
from pathlib import Path

import bpy
import stage


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=25)
    scene.supple.folder, scene.supple.substeps = str(folder / "work"), 8
    cloth = stage.grid("Cloth", 8, 1.0, (0.0, 0.0, 1.0))
    stage.pin(cloth, [0, 8])
    cloth.supple.role = "CLOTH"
    jobs, ledger = stage.extension("jobs"), stage.extension("ledger")
    simulation, folders = stage.extension("simulation"), stage.extension("folders").folders_of(scene)
    job = jobs.begin(scene, simulation.simulating(bpy.context), folders.log, wait=False)
    seen, asked = [], False
    while job.poll():  # as the timer does
        row = ledger.last_row(folders.run / "history.csv")
        if row is not None and (not seen or row.time > seen[-1]):
            seen.append(row.time)
        if len(seen) > 2 and not asked:
            asked = bpy.ops.supple.cancel() == {"FINISHED"}
        time.sleep(0.02)
    stopped = job.message
    part = stage.film([cloth])["Cloth"]
    frames = stage.extension("objects.cache").read_points(folders.caches / "Cloth.pc2").shape[0]
    resumable = bpy.ops.supple.resume.poll()
    resumed = bpy.ops.supple.resume()
    whole = stage.film([cloth])["Cloth"]
    report = scene.supple.report
    scene.supple.folder = str(folder / "other")
    bpy.ops.supple.simulate()
    return {
        "part": part,
        "whole": whole,
        "never": stage.film([cloth])["Cloth"],
        "frames": frames,
        "times": seen,
        "words": [stopped, str(resumable), str(resumed), report],
    }
