"""Runs notebooks from beginning to end.

    PYTHONPATH=build/python python3 python/notebooks/run.py [--out FOLDER] [FILE...]

Notebooks are kept without outputs. This executes each of them (default: all
beside this file) in a fresh kernel; a cell that fails ends it with exit status
1. With --out the executed notebooks, with their pictures, are written there.
"""
import argparse
import os
import pathlib
import resource
import sys
import tempfile

import nbclient
import nbformat

HERE = pathlib.Path(__file__).resolve().parent


def cpu():
    """Seconds of CPU of all kernels so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_clean(path, notebook):
    """Outputs stay out of the repository."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and (cell.outputs or
                                         cell.execution_count is not None):
            sys.exit(f"{path}: cell {cell['id']} has outputs; clear them")


def execute(path, out):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    check_clean(path, notebook)
    begun = cpu()
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(
            notebook, timeout=None, kernel_name="python3",
            resources={"metadata": {"path": folder}})
        # Sockets in a folder of its own: kernels that start at the same time
        # would take the same network ports.
        kernel = client.create_kernel_manager()
        kernel.transport, kernel.ip = "ipc", os.path.join(folder, "kernel")
        try:
            client.execute()
        except nbclient.exceptions.CellExecutionError as error:
            sys.exit(f"{path}: {error}")
    if out:
        nbformat.write(notebook, out / path.name)
    print(f"{path.name}: {cpu() - begun:.1f} s of CPU", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    asked = parser.parse_args()
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # a warning of ipykernel
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
    for path in asked.files or sorted(HERE.glob("*.ipynb")):
        execute(path, asked.out)


if __name__ == "__main__":
    main()
