#!/bin/sh
# Unit and property tests of the model library.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
for program in "$top_builddir"/test/unit/models/test_*; do
    case $program in
        *.o | *.c) ;;
        *) check_tap "$(basename "$program")" timeout 300 "$program" ;;
    esac
done
done_testing
