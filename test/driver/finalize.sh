#!/bin/sh
# Files that are used inside MPI_Finalize, recorded and not, tuned and not.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

for fs in ufs nfs gpfs lustre; do
    for ranks in 1 2 4; do
        for record in no yes; do
            mkdir "$scratch/d"
            unset ROMIO_AUTOTUNE_RECORD
            [ $record = no ] || export ROMIO_AUTOTUNE_RECORD="$scratch/record"
            over $fs check_mpi "$fs, $ranks ranks, record: $record" $ranks \
                "$top_builddir/test/driver/finalize" "$scratch/d" $fs
            ROMIO_AUTOTUNE=disable over $fs check_mpi "$fs, $ranks ranks, record: $record, disabled" \
                $ranks "$top_builddir/test/driver/finalize" "$scratch/d" $fs
            rm -r "$scratch/d"
        done
    done
done
with_record()
{
    [ "$(grep -c romio-autotune-record "$scratch/record")" -gt 100 ]
}
check "records are written" with_record
done_testing
