# Copyright of the recipe: as of bperc, GPL-3.0-or-later.
from spack.package import *


class Bperc(MesonPackage):
    """Perceptrons with binary weights: solve, count, predict, measure."""

    license("GPL-3.0-or-later")

    # From a checkout: spack dev-build bperc@0.2.0
    version("0.2.0")

    variant("hdf5", default=True, description="HDF5 files")
    variant("mpi", default=False, description="sweeps over ranks")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("gsl")
    depends_on("random123")
    depends_on("sqlite")
    depends_on("jansson")
    depends_on("hdf5~mpi", when="+hdf5")
    depends_on("mpi", when="+mpi")

    def meson_args(self):
        hdf5 = "enabled" if "+hdf5" in self.spec else "disabled"
        return [f"-Dhdf5={hdf5}", "-Dtests=disabled", "-Dpython=disabled",
                "-Dinteractive=disabled"]
