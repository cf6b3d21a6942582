#!/bin/sh
# Units of adio/ and of names, without MPI.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for program in test_name test_nics test_access test_any_access; do
    check_tap "$program" "$top_builddir/test/unit/adio/$program"
done
done_testing
