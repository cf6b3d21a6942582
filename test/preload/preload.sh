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
    [ "$host" = openmpi ] || over ufs check_mpi "preloaded, $ranks ranks" $ranks "$scratch/calls" "$scratch/file"
    ROMIO_FSTYPE_FORCE=ufs: over ufs check_mpi "preloaded, ROMIO, $ranks ranks" $ranks "$scratch/calls" "$scratch/file"
    ROMIO_AUTOTUNE_PRELOAD=all ROMIO_AUTOTUNE=enable over ufs check_mpi "preloaded, autotune:, $ranks ranks" \
        $ranks "$scratch/calls" "autotune:$scratch/file"
    also_preload=''
done

# silent COMMAND...: COMMAND succeeds and says nothing of us
silent()
{
    "$@" > "$scratch/said" 2>&1 && ! grep romio-autotune "$scratch/said"
}

# left: a file without a prefix is the MPI library's where nobody asks for all
case $host in
    mpich) name=MPICH left='' ;;
    openmpi) name="Open MPI" left=left ;;
esac
in_effect="romio-autotune: MPI-IO is that of ROMIO with autotune, on $name"
export ROMIO_AUTOTUNE_PRELOAD=verbose
check "what is in effect is told once" ends 0 "$in_effect" \
    env LD_PRELOAD="$library" "$MPIEXEC" -n 2 "$scratch/calls" $left "$scratch/file"
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

# --- whose a file is: the wish is the library's own, so that it is gone with the library

check "its own word for all files" compile status -x c - <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_File file;
    MPI_Info info;
    int found = 0, rank;
    MPI_Init(&argc, &argv);
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        return puts("failed");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_get_info(file, &info);
    MPI_Info_get(info, "romio_autotune_status", MPI_MAX_INFO_VAL, value, &found);
    if (rank == 0)
        puts(found ? "driver" : "library");
    MPI_Info_free(&info);
    MPI_File_close(&file);
    return MPI_Finalize();
}
END
# has OWNER VARIABLE=VALUE... COMMAND...: who has the file
has()
{
    _owner=$1
    shift
    env "$@" > "$scratch/said" 2>&1
    cat "$scratch/said"
    [ "$(grep -v '^romio-autotune:' "$scratch/said")" = "$_owner" ]
}
unset ROMIO_AUTOTUNE_PRELOAD
with="LD_PRELOAD=$library"
start="$MPIEXEC -n 1 $scratch/status"
# shellcheck disable=SC2086 # words
{
    check "all files" has driver "$with" ROMIO_AUTOTUNE_PRELOAD=all ROMIO_AUTOTUNE=enable $start "$scratch/file"
    check "with a word that tells" has driver "$with" ROMIO_AUTOTUNE_PRELOAD=verbose,all ROMIO_AUTOTUNE=enable $start "$scratch/file"
    check "without it" has library "$with" ROMIO_AUTOTUNE=enable $start "$scratch/file"
    check "a name with a colon" has driver "$with" ROMIO_AUTOTUNE_PRELOAD=all ROMIO_AUTOTUNE=enable $start "$scratch/a:b"
    check "the library is gone" has library ROMIO_AUTOTUNE_PRELOAD=all $start "$scratch/file"
    check "the library is switched off" has library "$with" ROMIO_AUTOTUNE_PRELOAD=all,off $start "$scratch/file"
    check "what the user says to ROMIO counts more" has library "$with" ROMIO_AUTOTUNE_PRELOAD=all ROMIO_FSTYPE_FORCE=ufs: \
        $start "$scratch/file"
    check "a wrong word" ends 0 'ROMIO_AUTOTUNE_PRELOAD: "of" is ignored: not off, all or verbose' \
        env "$with" ROMIO_AUTOTUNE_PRELOAD=all,of $start "$scratch/file"
    check "mode automatic" has driver "$with" ROMIO_AUTOTUNE_PRELOAD=all $start "$scratch/file"
    if [ "$host" = openmpi ]; then
        start="$MPIEXEC -n 2 $scratch/status"
        check "of two processes: stays Open MPI's" has library "$with" ROMIO_AUTOTUNE_PRELOAD=all $start "$scratch/file"
        check "which is silent" sh -c '! grep romio-autotune "$1"' sh "$scratch/said"
        check "and told where it is asked for" ends 0 "files of two processes on ufs and nfs are left to Open MPI's own MPI-IO: $scratch/file" \
            env "$with" ROMIO_AUTOTUNE_PRELOAD=all ROMIO_AUTOTUNE_EXPLAIN=stderr $start "$scratch/file"
        check "by one process" test "$(grep -c romio-autotune "$scratch/said")" -eq 1
        check "not with mode enable" has driver "$with" ROMIO_AUTOTUNE_PRELOAD=all ROMIO_AUTOTUNE=enable $start "$scratch/file"
        check "nor under its name" has driver "$with" ROMIO_AUTOTUNE_PRELOAD=all $start "autotune:$scratch/file"
    fi
}

if [ "$host" = openmpi ]; then
    check "left" compile left "$here/left.c"
    also_preload=$library
    for ranks in 1 3; do # nobody asked for all files
        over ufs check_mpi "one left, one not, $ranks ranks" $ranks "$scratch/left" "$scratch/one" host "autotune:$scratch/two" driver
        over ufs check_mpi "calls on a file that is left, $ranks ranks" $ranks "$scratch/calls" left "$scratch/file"
    done
    export ROMIO_AUTOTUNE_PRELOAD=all
    over ufs check_mpi "left with 2 ranks" 2 "$scratch/left" "$scratch/nine" host "autotune:$scratch/ten" driver
    over nfs check_mpi "the same over nfs" 2 "$scratch/left" "autotune:$scratch/three" driver "$scratch/four" host
    over lustre check_mpi "none left on lustre" 2 "$scratch/left" "$scratch/five" driver "$scratch/six" driver
    over ufs check_mpi "none of three ranks" 3 "$scratch/left" "$scratch/seven" driver "$scratch/eight" driver
    unset ROMIO_AUTOTUNE_PRELOAD
    also_preload=''
fi
ROMIO_AUTOTUNE_PRELOAD=verbose
export ROMIO_AUTOTUNE_PRELOAD

# --- programs that load MPI later, or never

check "a part with MPI" compile part.so -shared -fPIC -Dmain=run "$here/calls.c"
check "MPI is loaded later" ends 0 "$in_effect" \
    env LD_PRELOAD="$library" "$MPIEXEC" -n 2 "$top_builddir/test/preload/loader" "$scratch/part.so" $left "$scratch/file"
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
