#!/bin/sh
# The preload library in programs of an MPI library that was not rebuilt.

. "${top_srcdir:?}/test/preload/host.sh"
. "$top_srcdir/test/lib.sh"

here=$top_srcdir/test/preload

# compile NAME OPTION...: $scratch/NAME
compile()
{
    _name=$1
    shift
    "$MPICC" -O1 -D_GNU_SOURCE -DROMIO_NUMVERSION="$romio" -I"$top_srcdir/test" -I"$top_srcdir/test/driver" -o "$scratch/$_name" "$@"
}

# --- what it takes over, and what it needs

check "calls" compile calls "$here/calls.c"
for ranks in 1 3; do
    # others do not do all of it
    [ $same_version = no ] || check_mpi "without it, $ranks ranks" $ranks "$scratch/calls" "$scratch/file"
    also_preload=$library
    over ufs check_mpi "preloaded, $ranks ranks" $ranks "$scratch/calls" "$scratch/file"
    over ufs check_mpi "preloaded, autotune:, $ranks ranks" $ranks "$scratch/calls" "autotune:$scratch/file"
    also_preload=''
done

# silent COMMAND...: COMMAND succeeds and says nothing of us
silent()
{
    "$@" > "$scratch/said" 2>&1 && ! grep romio-autotune "$scratch/said"
}

case $host in
    mpich) name=MPICH ;;
    openmpi) name="Open MPI" ;;
esac
in_effect="romio-autotune: MPI-IO is that of ROMIO with autotune, on $name"
export ROMIO_AUTOTUNE_PRELOAD=verbose
check "what is in effect is told once" ends 0 "$in_effect" \
    env LD_PRELOAD="$library" "$MPIEXEC" -n 2 "$scratch/calls" "$scratch/file"
check "by one rank" test "$(grep -c romio-autotune "$scratch/said")" -eq 1
ROMIO_AUTOTUNE_PRELOAD=off
check "MPI alone" compile alone -x c - <<'END'
#include <mpi.h>
int main(int argc, char **argv) { return MPI_Init(&argc, &argv) || MPI_Finalize(); }
END
check "switched off" silent env LD_PRELOAD="$library" "$MPIEXEC" -n 2 "$scratch/alone"
check "switched off: autotune: is not known" sh -c \
    '! LD_PRELOAD="$1" "$2" -n 1 "$3" "autotune:$4" > /dev/null 2>&1' sh "$library" "$MPIEXEC" "$scratch/calls" "$scratch/file"
ROMIO_AUTOTUNE_PRELOAD=verbose

# --- programs that load MPI later, or never

check "a part with MPI" compile part.so -shared -fPIC -Dmain=run "$here/calls.c"
check "MPI is loaded later" ends 0 "$in_effect" \
    env LD_PRELOAD="$library" "$MPIEXEC" -n 2 "$top_builddir/test/preload/loader" "$scratch/part.so" "$scratch/file"
check "MPI is loaded later: all is well" test "$(grep -c '^not ok' "$scratch/said")" -eq 0
check "programs without MPI" silent env LD_PRELOAD="$library" sh -c 'ls / | wc -l'
check "programs without MPI, all names at once" silent env LD_BIND_NOW=1 LD_PRELOAD="$library" ls /

# a library with MPI's names that is none of MPICH's
cat > "$scratch/other.c" << 'END'
#include <stdio.h>
#include <string.h>
int PMPI_Init(int *argc, char ***argv) { return argc == 0 && argv == 0 ? 0 : 0; }
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }
int PMPI_Get_library_version(char *text, int *length)
{ return *length = sprintf(text, "Other MPI v4.1.4, package: none"), 0; }
int MPI_Get_library_version(char *text, int *length) { return PMPI_Get_library_version(text, length); }
int MPI_File_open(void *comm, const char *name, int mode, void *info, void *file)
{ (void) comm, (void) mode, (void) info, (void) file; return printf("opened %s\n", name), 7; }
END
cat > "$scratch/foreign.c" << 'END'
int MPI_Init(int *, char ***);
int MPI_File_open(void *, const char *, int, void *, void *);
int main(void) { MPI_Init(0, 0); return MPI_File_open(0, "file", 0, 0, 0) == 7 ? 0 : 1; }
END
make_foreign()
{
    cc -shared -fPIC -o "$scratch/libother.so" "$scratch/other.c" &&
        cc -o "$scratch/foreign" "$scratch/foreign.c" -L"$scratch" -lother -Wl,-rpath,"$scratch"
}
check "a library of another ABI" make_foreign
check "is left alone" ends 0 "opened file" env LD_PRELOAD="$library" "$scratch/foreign"
check "and that is told" grep -qx "romio-autotune: not used: Other MPI v4.1.4 has another ABI than those for which this library was made; the program runs as without it" \
    "$scratch/said"
check "once" test "$(grep -c romio-autotune "$scratch/said")" -eq 1
check "by the first process only" silent env PMI_RANK=1 LD_PRELOAD="$library" "$scratch/foreign"

# --- names: only what it takes over is visible

check "nothing else is exported" sh -c \
    '! nm -D --defined-only "$1" | awk "{print \$3}" | grep -Ev "^P?MPI_(File_|Register_datarep|Init|Error_string|Errhandler_free|Test|Wait|Request_get_status)|^MPII_Errhandler_set_cxx$"' sh "$library"
check "no MPI library is needed" sh -c '! readelf -d "$1" | grep -i "NEEDED.*mpi"' sh "$library"

# --- the driver's own programs, as when it is built in

unset ROMIO_AUTOTUNE_PRELOAD
also_preload=$library
# opens is not among them: this MPICH itself loses 64 bytes with every file that is opened
for program in names hints modes threads; do
    check "$program" compile $program "$top_srcdir/test/driver/$program.c" -lpthread
    for fs in ufs nfs gpfs lustre; do
        mkdir "$scratch/d"
        over $fs check_mpi "$program over $fs, 4 ranks" 4 "$scratch/$program" "$scratch/d" $fs
        rm -r "$scratch/d"
    done
done

done_testing
