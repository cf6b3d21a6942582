"""Spack's own MPICH with a variant: +autotune adds the driver to ROMIO."""

import pathlib

from spack.package import *

try:  # Spack 1.x
    from spack_repo.builtin.packages.mpich.package import Mpich as BuiltinMpich
except ImportError:  # Spack 0.2x
    from spack.pkg.builtin.mpich import Mpich as BuiltinMpich

# The driver is taken from the tree that this recipe is in.
TREE = pathlib.Path(__file__).resolve().parents[6]


class Mpich(BuiltinMpich):
    __doc__ = BuiltinMpich.__doc__

    variant(
        "autotune",
        default=False,
        when="@4.0.2 +romio",
        description="ROMIO driver that tunes collective I/O by itself",
    )

    # ROMIO's configure is made again
    with when("+autotune"):
        depends_on("autoconf@2.69:", type="build")
        depends_on("automake@1.15:", type="build")
        depends_on("libtool@2.4.4:", type="build")
        depends_on("m4", type="build")

    def setup_build_environment(self, env):
        super().setup_build_environment(env)
        # Lustre's header where the machine has none; this variable does not reach mpicc
        if self.spec.satisfies("+autotune"):
            env.append_flags("MPICHLIB_CPPFLAGS", f"-I{TREE}/adio/compat")

    def autoreconf(self, spec, prefix):
        super().autoreconf(spec, prefix)
        if spec.satisfies("+autotune"):
            add_driver = Executable(str(TREE / "tools" / "mpich" / "add-driver"))
            add_driver(str(spec.version), self.stage.source_path)

    def configure_args(self):
        args = super().configure_args()
        if self.spec.satisfies("+autotune"):
            args.append("--with-file-system=ufs+nfs+testfs+gpfs+lustre+autotune")
        return args
