#!/bin/sh
# Unit tests that need no MPI run.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for program in test_name test_nics test_access test_any_access; do
    check_tap "$program" "$top_builddir/test/unit/$program"
done
done_testing
