#!/bin/sh
# What autotune-collect does with texts and streams.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for name in check counters node say; do
    check_tap "$name" timeout 300 "$top_builddir/test/unit/collect/test_$name"
done
done_testing
