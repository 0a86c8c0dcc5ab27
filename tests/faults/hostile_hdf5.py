#!/usr/bin/python3
"""HDF5 files made to reach other files, to wait, or to take all memory.

    tests/faults/hostile_hdf5.py BPERC

Every one is refused with exit status 3, and nothing of the other file is said. Needs
h5py: exit status 77 without."""
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

SECRET = b"root:x:0:0:SECRET" * 64
SIZES = ((4, 8), (9, 60), (1, 1), (30, 33), (7, 256))


def begin(path, m, n):
    file = h5py.File(path, "w")
    file.attrs["A"] = 12.0
    file["labels"] = np.zeros(m, np.uint8)
    return file


def external_storage(path, secret, m, n):
    with begin(path, m, n) as f:
        f.create_dataset("patterns", (m, n), np.uint8,
                         external=[(secret, 0, m * n)])


def external_labels(path, secret, m, n):
    with begin(path, m, n) as f:
        del f["labels"]
        f.create_dataset("labels", (m,), np.uint8, external=[(secret, 0, m)])
        f["patterns"] = np.zeros((m, n), np.uint8)


def external_fifo(path, secret, m, n):
    external_storage(path, secret + ".fifo", m, n)


def external_link(path, secret, m, n):
    with h5py.File(secret + ".h5", "w") as other:
        other["patterns"] = np.ones((m, n), np.uint8)
    with begin(path, m, n) as f:
        f["patterns"] = h5py.ExternalLink(secret + ".h5", "/patterns")


def link_to_fifo(path, secret, m, n):
    with begin(path, m, n) as f:
        f["patterns"] = h5py.ExternalLink(secret + ".fifo", "/patterns")


def soft_to_external(path, secret, m, n):
    external_link(path, secret, m, n)
    with h5py.File(path, "a") as f:
        f.move("patterns", "there")
        f["patterns"] = h5py.SoftLink("/there")


def virtual(path, secret, m, n):
    with h5py.File(secret + ".h5", "w") as other:
        other["patterns"] = np.ones((m, n), np.uint8)
    layout = h5py.VirtualLayout((m, n), np.uint8)
    layout[:] = h5py.VirtualSource(secret + ".h5", "patterns", (m, n))
    with begin(path, m, n) as f:
        f.create_virtual_dataset("patterns", layout)


def bomb(path, secret, m, n):
    with begin(path, m, n) as f:
        f.create_dataset("patterns", (1 << 22, 1 << 14), np.uint8,
                         chunks=(1 << 8, 1 << 14), compression="gzip")[0, 0] = 1


def bits_bomb(path, secret, m, n):
    with begin(path, m, n) as f:
        f.attrs["N"] = 1 << 16
        f.create_dataset("bits", (1 << 20, 1 << 13), np.uint8,
                         chunks=(1 << 8, 1 << 13), compression="gzip")[0, 0] = 1


def negative_space(path, secret, m, n):
    with begin(path, m, n) as f:
        f["patterns"] = np.full((m, n), 200, np.uint8)


KINDS = (external_storage, external_labels, external_fifo, external_link,
         link_to_fifo, soft_to_external, virtual, bomb, bits_bomb, negative_space)


def check(bperc, path, m, n):
    """What is wrong, or None."""
    done = subprocess.run([bperc, "export", path, "--format", "text"],
                          capture_output=True, timeout=120)
    said = done.stdout + done.stderr
    if done.returncode != 3 or done.stdout:
        return f"exit status {done.returncode}: {said[:200]!r}"
    if b"SECRET" in said or b"root" in said:
        return f"says {said[:200]!r}"
    return None


def main():
    bperc, wrong = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        secret = os.path.join(folder, "secret")
        with open(secret, "wb") as f:
            f.write(SECRET)
        os.mkfifo(secret + ".fifo")
        for kind in KINDS:
            for m, n in SIZES:
                path = os.path.join(folder, "p.h5")
                if os.path.exists(path):
                    os.unlink(path)
                kind(path, secret, m, n)
                why = check(bperc, path, m, n)
                if why:
                    wrong += 1
                    print(f"{kind.__name__} {m} x {n}: {why}", flush=True)
    print(f"{len(KINDS) * len(SIZES)} hostile files, {wrong} not refused")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
