#!/bin/sh
# No rank truncates a file after others have gone on, as ROMIO's NFS driver does.
. "${top_srcdir:?}/test/lib.sh"

for fs in ufs nfs gpfs lustre; do
    for ranks in 2 4 7; do
        mkdir "$scratch/d"
        over $fs check_mpi "$fs, $ranks ranks" $ranks "$top_builddir/test/driver/nfs" "$scratch/d" $fs
        rm -r "$scratch/d"
    done
done
done_testing
