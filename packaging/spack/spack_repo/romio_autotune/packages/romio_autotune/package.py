"""romio-autotune: the tools, the preload library and an MPICH with the driver."""

import os
import pathlib
import shutil

from spack.package import *

try:  # Spack 1.x; 0.2x has it from spack.package
    from spack_repo.builtin.build_systems.generic import Package
except ImportError:
    pass

# The sources are those of the tree that this recipe is in.
TREE = pathlib.Path(__file__).resolve().parents[6]


class RomioAutotune(Package):
    """Tunes collective MPI-IO by a model of the machine: tools to calibrate it and to ask the
    model, a library to preload in programs of any MPI with MPICH's ABI, and an MPICH with the
    driver built in.  Verbs whose libraries are left out say so; all others work."""

    license("BSD-2-Clause")

    # What is fetched is MPICH's source, which configure unpacks itself.
    version(
        "0.2.0",
        url="https://www.mpich.org/static/downloads/4.0.2/mpich-4.0.2.tar.gz",
        sha256="5a42f1a889d4a2d996c26e48cbf9c595cbf4316c6814f7c181e3320d21dedd42",
        expand=False,
    )

    variant("device", default="ch3:sock", description="MPICH's device", values=str, multi=False)

    variant("openmpi", default=False, description="The preload library for Open MPI, too")
    variant("otf2", default=False, description="Traces for Vampir: autotune history export")
    variant("postgresql", default=False, description="I/O history in PostgreSQL, too")
    variant("serve", default=True, description="autotune serve: an I/O history in a browser")
    variant("xgboost", default=False, description="Gradient boosting for autotune state train")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("autoconf@2.69:", type="build")
    depends_on("automake@1.15:", type="build")
    depends_on("libtool@2.4.4:", type="build")
    depends_on("m4", type="build")
    depends_on("gmake", type="build")
    depends_on("perl", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build")
    depends_on("diffutils", type="build")
    depends_on("findutils", type="build")
    depends_on("patch", type="build")
    depends_on("xz", type="build")
    depends_on("json-c@0.15:")
    depends_on("expat")
    depends_on("gsl@2.5:")
    depends_on("libsvm")
    depends_on("sqlite@3.24:")
    depends_on("libmicrohttpd@0.9.71:", when="+serve")
    depends_on("openmpi@4:", when="+openmpi", type="build")
    depends_on("otf2@3:", when="+otf2")
    depends_on("postgresql", when="+postgresql")
    depends_on("xgboost", when="+xgboost")

    def copy_tree(self, to):
        manifest = Executable(str(TREE / "tools" / "manifest"))
        for name in manifest(output=str).splitlines():
            os.makedirs(os.path.dirname(os.path.join(to, name)), exist_ok=True)
            shutil.copy2(TREE / name, os.path.join(to, name))

    def openmpi_compiler(self, spec):
        return spec["openmpi"].prefix.bin.mpicc if spec.satisfies("+openmpi") else "no"

    def install(self, spec, prefix):
        source = join_path(self.stage.path, "romio-autotune")
        self.copy_tree(source)
        with working_dir(source):
            Executable("autoreconf")("-i")
        with working_dir(join_path(source, "build"), create=True):
            configure = Executable("../configure")
            configure(
                f"--prefix={prefix}",
                f"--libdir={prefix.lib}",
                f"--with-mpich-tarball={self.stage.archive_file}",
                f"--with-device={spec.variants['device'].value}",
                f"--with-jobs={make_jobs}",
                f"--with-openmpi={self.openmpi_compiler(spec)}",
            )
            make()
            make("install")
