#!/bin/sh
# Predicted operation counts against those of real collective calls: random
# accesses, ROMIO's drivers as they are.  AUTOTUNE_FULL=1 tries ten times as many.
. "${top_srcdir:?}/test/lib.sh"

cases=12
if [ -n "${AUTOTUNE_FULL-}" ]; then cases=120; fi

export STANDIN_OSTS=8
for fs in ufs nfs gpfs lustre; do
    for run in "2 4096" "3 1000" "4 512" "5 4096" "6 1000" "7 512" "8 65536"; do
        ranks=${run% *}
        export STANDIN_BLKSIZE="${run#* }"
        mkdir "$scratch/d"
        over $fs check_mpi "$ranks ranks, $fs" "$ranks" "$top_builddir/test/unit/models/trace/trace" \
            "$scratch/d" $fs "$STANDIN_BLKSIZE" 1 $cases
        rm -r "$scratch/d"
    done
done
done_testing
