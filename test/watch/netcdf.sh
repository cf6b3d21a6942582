#!/bin/sh
# What libautotune-watch.so sees of NetCDF and PnetCDF, which are not part of this: where they are installed.
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
here=$top_srcdir/test/watch
dump=$top_builddir/test/watch/dump
with_openmpi
cd "$scratch" || exit 99

# watched COMMAND...: spools are in spools
watched() { env ROMIO_AUTOTUNE_WATCH="record,survey,spool:dir=$scratch/spools" LD_PRELOAD="$library" "$@"; }

# as_expected LAYER EXPECTED: calls of a layer in the spool of rank 0, or of the only process; what NetCDF
# makes of nc_create differs from version to version
as_expected()
{
    for _spool in spools/*.spool; do
        case $("$dump" --facts "$_spool") in *'"rank": '[1-9]*) ;; *) "$dump" "$_spool" > dumped ;; esac
    done
    sed -n "s/^[0-9]* $1 //p" dumped | grep -v '^nc__' | sed "s, $scratch/file, FILE," | diff "$2" -
}

# causes FILE CALL LAYER PARENT: a call on a file was made in another
causes() { grep -qE "^[0-9]+ $3 $2 $scratch/$1 .* $4\$" dumped; }

if ! pkg-config --exists netcdf; then
    skip "NetCDF" "it is not installed"
else
    mkdir spools
    check "NetCDF: compiled" sh -c "cc -o netcdf '$here/netcdf.c' \$(pkg-config --cflags --libs netcdf)"
    ./netcdf "$scratch/bare"
    check "NetCDF: the program" watched ./netcdf "$scratch/file"
    check "NetCDF: the same file" cmp bare file
    check "NetCDF: calls" as_expected netcdf "$here/netcdf.expected"
    check "NetCDF: what they make of the classic format" causes file "(write|pwrite)" posix "nc_[a-z_0-9]+"
    check "NetCDF: and of HDF5" causes file.4 H5Dwrite hdf5 nc_put_vara
    check "NetCDF: and it of POSIX" causes file.4 "(write|pwrite)" posix "H5[A-Za-z0-9]+"
    survey()
    {
        "$dump" --surveys spools/*.spool > surveys && cat surveys
        grep -q "\"path\": \"$scratch/file\", \"layer\": \"netcdf\".*\"write\": {\"calls\": 7, \"bytes\": 200," surveys
    }
    check "NetCDF: the survey" survey
fi

if ! pkg-config --exists pnetcdf; then
    skip "PnetCDF" "it is not installed"
    done_testing
    exit
fi
found=''
for host in mpich openmpi; do
    MPICC=$(command -v mpicc.$host) && MPIEXEC=$(command -v mpiexec.$host) || continue
    "$MPICC" -o pnetcdf "$here/pnetcdf.c" -lpnetcdf > said 2>&1 || continue
    [ "$(ldd pnetcdf | grep -cE '^[[:space:]]*libmpi(ch)?\.so')" -eq 1 ] || continue
    found=$host
    break
done
if [ -z "$found" ]; then
    skip "PnetCDF" "it is for another MPI"
else
    rm -rf spools
    mkdir spools
    check "PnetCDF: the program" mpi 2 env ROMIO_AUTOTUNE_WATCH="record,spool:dir=$scratch/spools" LD_PRELOAD="$library" ./pnetcdf "$scratch/file"
    check "PnetCDF: calls" as_expected pnetcdf "$here/pnetcdf.expected"
    check "PnetCDF: what they make of MPI-IO" causes file "MPI_File_write_at_all" mpi ncmpi_put_vara_all
    check "PnetCDF: also of what was put off" causes file "MPI_File_write_at_all" mpi ncmpi_wait_all
fi
done_testing
