# Sourced: the MPI library whose programs are tested, and that nobody rebuilt.  $host: mpich
# (Debian's MPICH) or openmpi.  Where it is not installed the script ends here.  Before test/lib.sh,
# which starts programs with the mpiexec found here.

: "${top_srcdir:?}" "${top_builddir:?}"
host=${host:-mpich}
library=$top_builddir/preload/libromio-autotune.so

# without_host WHY
without_host()
{
    echo "ok 1 - programs of $host # SKIP $1"
    echo "1..1"
    exit
}

if ! MPIEXEC=$(command -v "mpiexec.$host") || ! MPICC=$(command -v "mpicc.$host"); then
    without_host "it is not installed"
fi
export MPICC MPIEXEC
# the ROMIO that is preloaded, and the MPICH that the programs are of
romio=$(sed -n 's/^#define MPICH_NUMVERSION *//p' "${MPICH_BUILD:?}/src/include/mpi.h")
same_version=no
if printf '#include <mpi.h>\n#if MPICH_NUMVERSION != %s\n#error\n#endif\n' "$romio" | "$MPICC" -E -x c - > /dev/null 2>&1; then
    same_version=yes
fi
if [ "$host" = openmpi ]; then
    [ -e "$top_builddir/preload/libromio-autotune-openmpi.so" ] || without_host "configure did not find it"
fi
