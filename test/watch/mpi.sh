#!/bin/sh
# What libautotune-watch.so sees of MPI-IO and HDF5: in programs of our MPICH, and in those of MPI
# libraries that are installed, with one library for both ABIs.
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
here=$top_srcdir/test/watch
programs=$top_builddir/test/watch
with_openmpi

# run FOLDER RANKS PROGRAM...: programs alone are watched, not what starts them
run()
{
    _folder=$1 _ranks=$2
    shift 2
    mkdir -p "$_folder/spools"
    mpi "$_ranks" env ROMIO_AUTOTUNE_WATCH="record,survey,spool:dir=$_folder/spools" LD_PRELOAD="$library" "$@"
}

# spool_of FOLDER RANK
spool_of()
{
    for _spool in "$1"/spools/*.spool; do
        case $("$programs/dump" --facts "$_spool") in *"\"rank\": $2,"*) echo "$_spool" ;; esac
    done
}

# as_expected FOLDER LAYER EXPECTED: rank 0's calls of a layer but for those at 77777
as_expected()
{
    "$programs/dump" "$(spool_of "$1" 0)" > "$1/dump" || return 1
    sed -n "s/^[0-9]* $2 //p" "$1/dump" | grep -v ' 77777 ' |
        sed "s, $1/file , FILE ,; s,\(/does/not/exist -1 0\) ${no_such_file:-0} ,\1 NO_SUCH_FILE ," | diff "$3" -
}

# every access of the file was made in a call of MPI
has_causes()
{
    grep -E "^[0-9]+ posix (open|pread|pwrite|read|write) $1/file " "$1/dump" > "$1/accesses"
    [ -s "$1/accesses" ] && ! grep -vE ' MPI_[A-Za-z_]+$' "$1/accesses"
}

# was_completed FOLDER: in another thread than the one that started it
was_completed()
{
    grep ' 77777 ' "$1/dump"
    awk '/MPI_File_iwrite_at .* 77777 .* starts/ { from = $1 }
        /MPI_Wait .* 77777 7 0 MPI_File_iwrite_at completes/ { to = $1 }
        END { exit !(from != "" && to != "" && from != to) }' "$1/dump"
}

# test_program NAME PROGRAM
test_program()
{
    _at=$scratch/$1
    no_such_file=$(printf '#include <mpi.h>\nMPI_ERR_NO_SUCH_FILE\n' | "$MPICC" -E -x c - | tail -n 1)
    run "$_at" 2 "$2" "$_at/file" > "$_at.said" 2>&1
    check "$1: the program" test $? -eq 0
    check "$1: a spool for each rank" test "$(find "$_at/spools" -name '*.spool' | wc -l)" -eq 2
    check "$1: calls" as_expected "$_at" mpi "$here/mpi.expected"
    check "$1: causes" has_causes "$_at"
    if grep -q threads "$_at.said"; then
        check "$1: completed in another thread" was_completed "$_at"
    else
        skip "$1: completed in another thread" "this MPI has no threads"
    fi
}

test_program ours "$programs/mpi"
ours=$MPICC ours_exec=$MPIEXEC
for host in mpich openmpi; do
    if ! MPICC=$(command -v mpicc.$host) || ! MPIEXEC=$(command -v mpiexec.$host); then
        skip "$host" "it is not installed"
        continue
    fi
    check "$host: compiled" "$MPICC" -O1 -o "$scratch/$host.program" "$here/mpi.c" -lpthread
    test_program $host "$scratch/$host.program"
done
MPICC=$ours MPIEXEC=$ours_exec

if [ -x "$programs/hdf5" ]; then
    unset no_such_file
    export LD_LIBRARY_PATH="$LIBDIR"
    check "HDF5: the program" run "$scratch/hdf5" 1 "$programs/hdf5" "$scratch/hdf5/file"
    check "HDF5: calls" as_expected "$scratch/hdf5" hdf5 "$here/hdf5.expected"
    check "HDF5: causes" grep -qE "posix pwrite $scratch/hdf5/file .* H5Fclose\$" "$scratch/hdf5/dump"
else
    skip "HDF5" "it is not installed"
fi
done_testing
