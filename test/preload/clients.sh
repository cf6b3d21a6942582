#!/bin/sh
# Programs of an MPI library that was not rebuilt with the preload library: random accesses, byte
# for byte as through the wrapped drivers; Fortran; Debian's parallel HDF5 and PnetCDF.

. "${top_srcdir:?}/test/preload/host.sh"
. "$top_srcdir/test/lib.sh"
standin=$top_builddir/test/grounds/standin/.libs/standin.so
ranks=4
cases=40
[ -z "${AUTOTUNE_FULL-}" ] || cases=1000
watchdog=$((cases * 2 + 120))
mkdir "$scratch/ufs" "$scratch/nfs" "$scratch/gpfs" "$scratch/lustre" "$scratch/profiles"

# --- random accesses

seeds $((2 * cases))

check "random" "$MPICC" -O1 -D_GNU_SOURCE -I"$top_srcdir/test" -I"$top_srcdir/adio" \
    -o "$scratch/random" "$top_srcdir"/test/driver/random/*.c -lm

# over_all COMMAND...
over_all()
{
    STANDIN="nfs:$scratch/nfs,gpfs:$scratch/gpfs,lustre:$scratch/lustre" LD_PRELOAD="$standin:$library" "$@"
}
# files without a prefix stay Open MPI's, whose two-phase I/O crashes in some of these cases (4.1.4)
named=''
if [ "$host" = openmpi ]; then named=--named; fi
# shellcheck disable=SC2086
over_all check_mpi "random" $ranks "$scratch/random" $named --directory "$scratch" --seed 22 --cases $cases
awk -v seed=2200000 -v count=$cases -v to="$scratch/profiles" -f "$top_srcdir/test/driver/random-profile.awk"
# shellcheck disable=SC2086
ROMIO_AUTOTUNE=enable over_all check_mpi "random, random profiles" $ranks "$scratch/random" $named --directory "$scratch" \
    --seed 22 --cases $cases --profiles "$scratch/profiles"

# --- Fortran

if command -v "mpif90.$host" > /dev/null; then
    check "Fortran" "mpif90.$host" -O1 -o "$scratch/fortran" "$top_srcdir/test/preload/fortran.f90"
    also_preload=$library
    for fs in ufs gpfs lustre; do
        over $fs check_mpi "Fortran over $fs" $ranks "$scratch/fortran" "autotune:$scratch/fortran.$fs"
    done
    also_preload=''
else
    skip "Fortran" "there is no compiler for it"
fi

# --- HDF5, whose files have the bytes that it writes without us

if pkg-config --exists hdf5-$host; then
    # shellcheck disable=SC2046 # words
    check "HDF5" "$MPICC" -O1 -D_GNU_SOURCE -I"$top_srcdir/test" $(pkg-config --cflags-only-I hdf5-$host) -o "$scratch/hdf5" \
        "$top_srcdir/test/driver/clients/hdf5.c" $(pkg-config --libs hdf5-$host | tr ' ' '\n' | grep -E '^-L|^-lhdf5') -lm
    check_mpi "HDF5 without us" $ranks "$scratch/hdf5" "$scratch/without.h5" none
    # some versions write the time, or what was in memory
    sleep 1
    mpi $ranks "$scratch/hdf5" "$scratch/again.h5" none > "$scratch/said" 2>&1
    repeats=no
    if cmp "$scratch/without.h5" "$scratch/again.h5"; then repeats=yes; fi
    also_preload=$library
    for fs in ufs gpfs lustre; do
        over $fs check_mpi "HDF5 over $fs" $ranks "$scratch/hdf5" "autotune:$scratch/$fs.h5" $fs
        if [ $repeats = yes ]; then
            check "HDF5 over $fs: the same bytes" cmp "$scratch/without.h5" "$scratch/$fs.h5"
        else
            skip "HDF5 over $fs: the same bytes" "two files of this HDF5 are never the same"
        fi
    done
    also_preload=''
else
    skip "HDF5" "it is not installed for $host"
fi

# --- PnetCDF, of which Debian has one for the MPI that is its default

# is_of_host PROGRAM: does it load one MPI library only?
is_of_host()
{
    [ "$(ldd "$1" | grep -cE '^[[:space:]]*libmpi(ch)?\.so')" -eq 1 ]
}
if ! pkg-config --exists pnetcdf; then
    skip "PnetCDF" "it is not installed"
elif ! "$MPICC" -O1 -I"$top_srcdir/test" -o "$scratch/pnetcdf" "$top_srcdir/test/preload/pnetcdf.c" \
        -lpnetcdf > "$scratch/said" 2>&1; then
    not_ok "PnetCDF" "$scratch/said"
elif ! is_of_host "$scratch/pnetcdf"; then
    skip "PnetCDF" "it is not for $host"
else
    check_mpi "PnetCDF without us" $ranks "$scratch/pnetcdf" "$scratch/without.nc" none
    also_preload=$library
    for fs in ufs nfs gpfs lustre; do
        over $fs check_mpi "PnetCDF over $fs" $ranks "$scratch/pnetcdf" "autotune:$scratch/$fs.nc" $fs
        check "PnetCDF over $fs: the same bytes" cmp "$scratch/without.nc" "$scratch/$fs.nc"
    done
    also_preload=''
fi

done_testing
