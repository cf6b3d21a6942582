#!/bin/sh
# What programs give back as it was reported to them is no wish.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

export STANDIN_LAYOUT=2:65536 STANDIN_BLKSIZE=4096

for fs in ufs nfs gpfs lustre; do
    for ranks in 2 4 7; do
        for what in change small; do
            ECHO_PROFILE=$(forced_profile $what)
            export ECHO_PROFILE
            if [ $what = change ]; then export ECHO_CHANGES=1; else unset ECHO_CHANGES; fi
            mkdir "$scratch/d"
            over $fs check_mpi "$fs, $ranks ranks, $what" $ranks "$top_builddir/test/driver/echo" "$scratch/d" $fs
            rm -r "$scratch/d"
        done
    done
done
done_testing
