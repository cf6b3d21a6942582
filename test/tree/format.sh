#!/bin/sh
# C and C++ sources are formatted as .clang-format says.
. "${top_srcdir:?}/test/lib.sh"

if ! command -v clang-format > /dev/null; then
    # quickstart --check installs what is needed
    if [ -n "${AUTOTUNE_COMPLETE-}" ]; then
        not_ok "formatting: there is no clang-format"
    else
        skip "formatting" "no clang-format"
    fi
    done_testing
    exit
fi
# versions differ in what they make of the same rules
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$version" != 14 ]; then
    skip "formatting" "clang-format $version, not 14"
    done_testing
    exit
fi
formatted()
{
    cd "$top_srcdir" && find ad_autotune adio models patches preload watch tools tune site test study \( -name '*.[ch]' -o -name '*.[ch]pp' \) -print0 |
        xargs -0 -P 2 -n 64 clang-format --dry-run -Werror
}
check "every file" formatted
done_testing
