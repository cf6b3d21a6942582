#!/bin/sh
# What lib.sh makes of test programs that do not do what they announce.
. "${top_srcdir:?}/test/lib.sh"

program()
{
    # shellcheck disable=SC2059 # a format
    printf "$2"
    return "$1"
}

# fails WITH TEXT RC OUTPUT: WITH failures, one of them with TEXT, of a program that prints OUTPUT and ends with RC
fails()
{
    (check_tap it program "$3" "$4") > "$scratch/lines"
    cat "$scratch/lines"
    [ "$(grep -c '^not ok' "$scratch/lines")" -eq "$1" ] && grep -qF -e "$2" "$scratch/lines"
}

check "all that was announced" fails 0 "it: b" 0 '1..2\nok 1 - a\nok 2 - b\n'
check "the plan at the end" fails 0 "it: a" 0 'ok 1 - a\n1..1\n'
check "two groups" fails 0 "it: c" 0 '1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n'
check "one is left out" fails 0 "# SKIP none" 0 '1..2\nok 1 - a\nok 2 - b # SKIP none\n'
check "fewer than announced" fails 1 "ended with 0 after 1 tests of 5" 0 '1..5\nok 1 - a\n'
check "more than announced" fails 1 "ended with 0 after 2 tests of 1" 0 '1..1\nok 1 - a\nok 2 - b\n'
check "a second group that does not run" fails 1 "after 1 tests of 3" 0 '1..1\nok 1 - a\n1..2\n'
check "nothing announced" fails 1 "of an unknown number" 0 'ok 1 - a\n'
check "nothing said" fails 1 "after 0 tests of an unknown number" 0 ''
check "a failure" fails 1 "it: a" 1 '1..1\nnot ok 1 - a\n'
check "it dies afterwards" fails 1 "ended with 139" 139 '1..1\nok 1 - a\n'
done_testing
