# Written against Spack's documentation and not built. If it fails, please report the log of `spack install -v holdfast`, what
# `spack spec holdfast` says, and which of the dependencies has another name in your Spack.
from spack.package import *


class Holdfast(CMakePackage):
    """Plan, schedule and simulate work on machines that fail: checkpoints, moldable jobs, workflows, shared bandwidth."""

    license("Apache-2.0")

    # No release has been published yet: build from a clone, `spack dev-build holdfast@0.2.0` or `spack develop`.
    version("0.2.0")

    variant("mpi", default=False, description="campaigns on many nodes by --executor mpi")

    depends_on("cxx", type="build")  # this and the next need Spack 0.23 or later
    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.11:", type="build")  # man pages, bill of materials
    depends_on("fmt@9:")
    depends_on("tl-expected")
    depends_on("nlohmann-json@3.11:")
    depends_on("tomlplusplus@3.3:")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("bzip2")
    depends_on("zstd")
    depends_on("sqlite")
    depends_on("cli11@2.1:")
    depends_on("random123")
    depends_on("mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("HOLDFAST_TESTS", False),
            self.define("HOLDFAST_INSTALLED_ONLY", True),
            self.define("HOLDFAST_BATCHES", True),
            self.define("HOLDFAST_PYTHON", False),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", "~mpi" in self.spec),
        ]
