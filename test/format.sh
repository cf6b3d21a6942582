#!/bin/sh
# C and C++ sources are formatted as .clang-format says.
. "${top_srcdir:?}/test/lib.sh"

command -v clang-format > /dev/null || { skip "formatting" "no clang-format"; done_testing; exit; }
for file in $(cd "$top_srcdir" && find ad_autotune adio models tools test \( -name '*.[ch]' -o -name '*.[ch]pp' \) 2> /dev/null | sort); do
    check "$file" sh -c "clang-format '$top_srcdir/$file' | diff '$top_srcdir/$file' -"
done
done_testing
