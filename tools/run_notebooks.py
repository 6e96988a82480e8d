"""Executes the notebooks and stores them with their outputs.

    python tools/run_notebooks.py [NAME ...]

Each notebook runs in a new folder that contains the meshes beside it, so that nothing else is read and nothing is left behind.
Stored outputs have no times, counters or paths of the machine: the same code gives nearly the same file everywhere.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
TIMEOUT = 300
"""Seconds that a cell may take, the first compilation of kernels included."""
LARGEST = 300_000
"""Bytes of all notebooks together."""
PATHS = re.compile(r"(/(home|Users|root|tmp|work|var|opt|usr)/|[A-Z]:\\\\)[^\s\"']*")
"""Paths of a machine."""
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(file: Path, folder: Path) -> nbformat.NotebookNode:
    """A notebook with fresh outputs, run in a folder with copies of the meshes; raises CellExecutionError."""
    for data in file.parent.glob("*.mesh"):
        shutil.copy(data, folder)
    notebook = nbformat.read(file, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    with tempfile.TemporaryDirectory() as sockets:  # by which the kernel is reached, in the place of ports
        local = Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/kernel"}})
        NotebookClient(notebook, kernel_name="python3", timeout=TIMEOUT, resources=place, config=local).execute()
    return notebook


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Without data that differ from run to run: times of execution, versions, the error stream, and texts beside pictures."""
    notebook.metadata = nbformat.from_dict(KERNEL)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
            for output in cell.outputs:
                if {"text/html", "image/png"} & output.get("data", {}).keys():
                    output.data.pop("text/plain", None)
    return notebook


def machine_paths(notebook: nbformat.NotebookNode) -> list[str]:
    """Paths of a machine in the outputs; pictures are no text."""
    texts = [
        text
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind, text in {**output.get("data", {}), "text": output.get("text", "")}.items()
        if kind != "image/png"
    ]
    pictures = re.compile(r"data:image/\w+;base64,[A-Za-z0-9+/=]+")
    return [found[0] for text in texts for found in PATHS.finditer(pictures.sub("", text))]


def main(names: list[str]) -> int:
    chosen = [NOTEBOOKS / f"{name.removesuffix('.ipynb')}.ipynb" for name in names]
    for file in chosen or sorted(NOTEBOOKS.glob("*.ipynb")):
        began = perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            notebook = tidy(executed(file, Path(folder)))
        if found := machine_paths(notebook):
            sys.stderr.write(f"{file.name}: paths of this machine in its outputs: {', '.join(found)}; not stored\n")
            return 1
        nbformat.write(notebook, file)
        sys.stdout.write(f"{file.name}: {perf_counter() - began:.1f} s, {file.stat().st_size / 1000:.0f} kB\n")
    size = sum(file.stat().st_size for file in NOTEBOOKS.glob("*.ipynb"))
    sys.stdout.write(f"all notebooks: {size / 1000:.0f} kB of at most {LARGEST / 1000:.0f} kB\n")
    return 0 if size <= LARGEST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
