"""HDF5 files are read and written while another thread of the same process
uses h5py: the HDF5 library of the host is not touched."""
import os
import threading

import numpy as np
import pytest

import bperc

h5py = pytest.importorskip("h5py")

READS = 200


def test_reads_beside_a_writer(tmp_path):
    rng = np.random.default_rng(5)
    patterns = rng.integers(0, 2, (40, 90)).astype("u1")
    labels = rng.integers(0, 2, 40).astype("u1")
    given = tmp_path / "given.h5"
    with h5py.File(given, "w") as f:
        f["patterns"], f["labels"] = patterns, labels
        f.attrs["A"] = 6.5

    stop, begun, written, failed = threading.Event(), threading.Event(), [], []

    def write():
        k = 0
        try:
            while not stop.is_set():
                path = tmp_path / f"w{k % 4}.h5"
                with h5py.File(path, "w") as f:
                    f["x"] = np.full((50, 50), k)
                    f.create_dataset("packed", data=np.arange(1000) + k,
                                     compression="gzip")
                with h5py.File(path) as f:
                    assert (f["x"][:] == k).all()
                    assert (f["packed"][:] == np.arange(1000) + k).all()
                k += 1
                written.append(k)
                begun.set()
        except BaseException as problem:  # told in the main thread
            failed.append(problem)
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    try:
        before = len(written)
        for _ in range(READS):
            problem = bperc.Problem.read(os.fspath(given))
            assert (problem.n, problem.m) == (90, 40)
            assert (problem.y == labels).all()
        during = len(written) - before
    finally:
        stop.set()
        writer.join()
    assert not failed
    assert during > 0, "the writer did nothing while files were read"
