# Sourced: the MPI library whose programs are tested, and that nobody rebuilt.  $host: mpich
# (Debian's MPICH) or openmpi.  Where it is not installed the script ends here.

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
    # more processes than cores, also as root; what one run removes at its end is not another's
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0 \
        OMPI_MCA_orte_tmpdir_base="$scratch"
    # nor what a process of the last run removes late: a folder that is not empty stays
    node=$(uname -n)
    mkdir -p "$scratch/ompi.${node%%.*}.$(id -u)/kept"
fi
