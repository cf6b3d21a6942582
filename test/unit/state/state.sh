#!/bin/sh
# Storage state: units.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
cd "$scratch" || exit 99
for program in test_trace; do
    check_tap "$program" timeout 600 "$top_builddir/test/unit/state/$program"
done
done_testing
