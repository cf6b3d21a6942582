#!/bin/sh
# Programs that are linked statically, with what autotune wrap says: they are the same, and what is seen
# of them is what is seen of others.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
library=$top_builddir/watch/.libs/libautotune-watch.so
dump=$top_builddir/test/watch/dump
here=$top_srcdir/test/watch
cd "$scratch" || exit 99
unset ROMIO_AUTOTUNE_WATCH LD_PRELOAD

# wrap LAYER...
wrap() { "$autotune" wrap --flags --archive "$top_builddir/watch/libautotune-watch.a" --lists "$top_builddir/watch" "$@"; }

check "help" sh -c '"$1" wrap --help | diff "$2" -' sh "$autotune" "$top_srcdir/test/tools/wrap-help.expected"
check "what is wanted" ends 2 "--flags is needed" "$autotune" wrap
check "no such layer" ends 2 "fortran: not mpi, hdf5, netcdf or pnetcdf" "$autotune" wrap --flags fortran
check "no archive" ends 1 "none.a: No such file" "$autotune" wrap --flags --archive none.a
check "no lists" ends 1 "none/posix.wrap: No such file" "$autotune" wrap --flags --archive "$top_builddir/watch/libautotune-watch.a" --lists none
check "POSIX alone" test "$(wrap)" = "-Wl,@$top_builddir/watch/posix.wrap $top_builddir/watch/libautotune-watch.a -lpthread"
check "layers" sh -c 'echo "$1" | grep -qE "^-Wl,@[^ ]*posix.wrap -Wl,@[^ ]*mpi.wrap -Wl,@[^ ]*hdf5.wrap [^ ]*\.a -lpthread$"' sh "$(wrap hdf5 mpi)"

if ! echo 'int main(void) { return 0; }' | cc -static -x c -o empty - > said 2>&1; then
    skip "static programs" "the C library cannot be linked statically"
    done_testing
    exit
fi

# --- POSIX

check "linked" sh -c "cc -static -D_GNU_SOURCE -o cases '$here/cases.c' $(wrap)"
check "it is static" sh -c '! ldd cases > /dev/null 2>&1'

# calls_of SPOOLS: of all processes, whatever their order
calls_of()
{
    for _spool in "$1"/*.spool; do
        "$dump" "$_spool" || echo "ended with $?"
    done | sort
}

# same CASE: what the program says, and what is seen of it
same()
{
    rm -rf file static shared
    mkdir static shared
    ./cases "$1" "$scratch/file" 2>&1 < /dev/null | cat > bare
    rm -f file
    ROMIO_AUTOTUNE_WATCH=record,spool:dir=$scratch/static ./cases "$1" "$scratch/file" 2>&1 < /dev/null | cat > seen
    rm -f file
    ROMIO_AUTOTUNE_WATCH=record,spool:dir=$scratch/shared LD_PRELOAD="$library" "$top_builddir/test/watch/cases" "$1" "$scratch/file" 2>&1 < /dev/null | cat > /dev/null
    calls_of static > static.calls
    calls_of shared > shared.calls
    [ -s static.calls ] && diff bare seen && diff shared.calls static.calls
}
for case in one strided fork exec; do
    check "$case" same $case
done
check "a module that is not in it" ends 0 "hdf5: must be spool, collect, off or one of the modules" \
    env ROMIO_AUTOTUNE_WATCH=hdf5 ./cases one "$scratch/file"

# --- MPI: a library that nobody rebuilt, from its archive

archive=$(find /usr/lib /usr/lib64 -name libmpich.a 2> /dev/null | head -n 1)
if ! MPICC=$(command -v mpicc.mpich) || ! MPIEXEC=$(command -v mpiexec.mpich) || [ -z "$archive" ]; then
    skip "MPI" "there is no archive of MPICH"
    done_testing
    exit
fi
others=$(pkg-config --static --libs mpich | sed 's/-lmpich\(fort\)*//g')
check "MPI: linked" sh -c "cc \$($MPICC -compile_info | sed 's/^[^ ]* //; s/ -l[^ ]*//g') -o mpi '$here/mpi.c' $(wrap mpi) $archive $others"
check "MPI: the library is inside" sh -c '! ldd mpi | grep -q libmpi'
mkdir spools
no_such_file=$(printf '#include <mpi.h>\nMPI_ERR_NO_SUCH_FILE\n' | "$MPICC" -E -x c - | tail -n 1)
check "MPI: the program" mpi 2 env ROMIO_AUTOTUNE_WATCH="record,spool:dir=$scratch/spools" ./mpi "$scratch/mpi.file"
as_expected()
{
    for _spool in spools/*.spool; do
        case $("$dump" --facts "$_spool") in *'"rank": 0,'*) "$dump" "$_spool" > dumped ;; esac
    done
    sed -n "s/^[0-9]* mpi //p" dumped | grep -v ' 77777 ' |
        sed "s, $scratch/mpi.file , FILE ,; s,\(/does/not/exist -1 0\) $no_such_file ,\1 NO_SUCH_FILE ," | diff "$here/mpi.expected" -
}
check "MPI: calls" as_expected
check "MPI: what they make of POSIX" grep -qE "^[0-9]+ posix (write|pwrite) $scratch/mpi.file .* MPI_File_write_at_all\$" dumped

# --- HDF5

hdf5=$(find /usr/lib /usr/lib64 -name libhdf5_mpich.a 2> /dev/null | head -n 1)
# linked FLAGS: with HDF5 and MPI inside
linked()
{
    # shellcheck disable=SC2046,SC2086 # words
    cc $("$MPICC" -compile_info | sed 's/^[^ ]* //; s/ -l[^ ]*//g') $(pkg-config --cflags hdf5-mpich) -o hdf5 "$here/hdf5.c" $1 \
        "$hdf5" "$archive" $others -lcrypto -lcurl -lsz -lz -ldl -lm
}
if [ -z "$hdf5" ] || ! linked "" > said 2>&1; then
    skip "HDF5" "there is no archive of it"
    done_testing
    exit
fi
check "HDF5: linked" linked "$(wrap mpi hdf5)"
rm -rf spools
mkdir spools
check "HDF5: the program" env ROMIO_AUTOTUNE_WATCH="record,spool:dir=$scratch/spools" ./hdf5 "$scratch/hdf5.file"
hdf5_as_expected()
{
    "$dump" spools/*.spool > dumped
    sed -n "s/^[0-9]* hdf5 //p" dumped | sed "s, $scratch/hdf5.file , FILE ," | diff "$here/hdf5.expected" -
}
check "HDF5: calls" hdf5_as_expected
check "HDF5: what they make of POSIX" grep -qE "posix pwrite $scratch/hdf5.file .* H5Fclose\$" dumped
done_testing
