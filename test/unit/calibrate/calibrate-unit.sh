#!/bin/sh
# What autotune-calibrate does without MPI: plan, schedule, statistics, journal.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for name in plan schedule statistics journal; do
    check_tap "$name" timeout 300 "$top_builddir/test/unit/calibrate/test_$name"
done
done_testing
