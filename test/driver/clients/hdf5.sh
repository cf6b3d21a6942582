#!/bin/sh
# A parallel HDF5 program over every wrapped driver: by prefix, by detection and
# by ROMIO_FSTYPE_FORCE, and with decisions forced by profiles; the files are byte for byte those of the wrapped driver.

. "$top_srcdir/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

program=$top_builddir/test/driver/clients/hdf5
ranks=4

if [ ! -x "$program" ]; then
    skip "HDF5 client" "no parallel HDF5 for MPICH (pkg-config hdf5-mpich) was found by configure"
    done_testing
    exit
fi

# HDF5 was linked with libmpich.so.12, the other name of our libmpi.so.12.
if [ ! -e "$LIBDIR/libmpich.so.12" ]; then
    not_ok "libmpich.so.12 is beside libmpi.so.12"
    done_testing
    exit
fi
LD_LIBRARY_PATH=$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# client FS WAY NAME WRAPPED
client()
{
    over "$1" check_mpi "$1, $2" $ranks "$program" "$3" "$4"
}

forced()
{
    ROMIO_FSTYPE_FORCE=autotune: client "$@"
}

for fs in ufs nfs gpfs lustre; do
    client $fs direct "$fs:$scratch/$fs-direct.h5" none
    client $fs prefix "autotune:$fs:$scratch/$fs-prefix.h5" $fs
    client $fs detected "autotune:$scratch/$fs-detected.h5" $fs
    forced $fs forced "$scratch/$fs-forced.h5" $fs
    for way in random many small independent change; do
        case $way in
            random) profile=$(random_profile "$(echo $fs | cksum | cut -d ' ' -f 1)") ;;
            *) profile=$(forced_profile $way) ;;
        esac
        with_profile "$profile" client $fs $way "autotune:$scratch/$fs-$way.h5" $fs
    done
    for way in prefix detected forced random many small independent change; do
        check "$fs, $way: the same bytes as through $fs alone" \
            cmp "$scratch/$fs-direct.h5" "$scratch/$fs-$way.h5"
    done
done

check "the data sets reached the file" grep -q chunked-independent "$scratch/ufs-prefix.h5"

done_testing
