#!/bin/sh
# What autotune-probe does with texts, times and files: jobs, lock, passive sources, timetable,
# traces.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for name in jobs lease passive timetable trace; do
    check_tap "$name" timeout 300 "$top_builddir/test/unit/probe/test_$name"
done
done_testing
