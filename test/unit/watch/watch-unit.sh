#!/bin/sh
# Units of libautotune-watch.so.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for program in test_call test_collect test_config test_hdf5 test_modules test_pieces test_reason test_spool; do
    check_tap "$program" timeout 900 "$top_builddir/test/unit/watch/$program"
done
done_testing
