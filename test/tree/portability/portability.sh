#!/bin/sh
# All C files compile without a warning where char has another sign than here; with AUTOTUNE_FULL=1 by gcc
# and clang, with each sign, optimised or not.  And no test draws random numbers in an order that is the
# compiler's to choose.
. "${top_srcdir:?}/test/lib.sh"

here=$top_srcdir/test/tree/portability
export TMPDIR="$scratch"

# order: of draws; a file with a mistake must be found, and ours have none
cat > "$scratch/wrong.c" <<'END'
int draw(void);
int g(int, int);
static int twice(void) { return draw() ? draw() : 2; }
int f(void) { int c = draw(), d = twice(); return g(c, d) + g(draw(), twice()); }
END
order_is_found()
{
    python3 "$here/order.py" "$scratch/wrong.c" > "$scratch/said"
    [ $? -eq 1 ] && [ "$(wc -l < "$scratch/said")" -eq 1 ]
}
sources()
{
    (cd "$top_srcdir" && find ad_autotune adio models patches preload watch tools tune site test study -name '*.[ch]') |
        sed "s,^,$top_srcdir/," | sort
}
order_of_ours()
{
    sources | tr '\n' '\0' | xargs -0 python3 "$here/order.py"
}
check "draws in no order are found" order_is_found
check "no draws in no order" order_of_ours

# the simulated machine, in C++, is not for users
(cd "$top_builddir" && "$here/commands" "$MPICH_SOURCE" "$MPICH_BUILD") > "$scratch/all" ||
    not_ok "what make would compile"
grep '\.c$' "$scratch/all" > "$scratch/commands"
every_file()
{
    (cd "$top_srcdir" && find adio models patches preload watch tools tune site test study -name '*.c' -not -path '*/data/*') > "$scratch/files"
    (cd "$top_srcdir/ad_autotune" && ls *.c) >> "$scratch/files"
    # not made on other processors, nor of another MPICH than 4.0
    if grep -qF 'S["HAVE_PRELOAD_TRUE"]="#"' "$top_builddir/config.status"; then sed -i /preload/d "$scratch/files"; fi
    while read -r file; do grep -q "${file##*/}\$" "$scratch/commands" || echo "$file"; done < "$scratch/files"
}
nothing_left_out()
{
    every_file > "$scratch/left-out"
    cat "$scratch/left-out"
    [ ! -s "$scratch/left-out" ]
}
check "no file is left out" nothing_left_out

cache=''
! command -v ccache > /dev/null || cache=ccache
clean()
{
    tr '\n' '\0' < "$scratch/commands" | xargs -0 -n 1 -P 2 "$here/compile" "$cache $*"
}
printf 'int f(char c) { return c < 0; }\n' > "$scratch/sign.c"
signs_differ()
{
    ! "$here/compile" "gcc -funsigned-char -Wtype-limits" "\$compile $scratch/sign.c" &&
        "$here/compile" "gcc -fsigned-char -Wtype-limits" "\$compile $scratch/sign.c"
}
check "a warning of one sign is found" signs_differ

ways=''
if [ -n "$AUTOTUNE_FULL" ]; then
    for compiler in gcc clang; do
        for sign in signed unsigned; do ways="$ways $compiler:-f$sign-char:-O0 $compiler:-f$sign-char:-O2"; done
    done
elif echo 'char c[(char)-1 < 0 ? 1 : -1];' | gcc -fsyntax-only -xc - 2> /dev/null; then
    ways=gcc:-funsigned-char:-O0
else
    ways=gcc:-fsigned-char:-O0
fi
for way in $ways; do
    compiler=${way%%:*} flags=$(echo "${way#*:}" | tr : ' ')
    if command -v "$compiler" > /dev/null; then
        # shellcheck disable=SC2086
        check "$compiler $flags" clean "$compiler" $flags
    else
        skip "$compiler $flags" "it is not installed"
    fi
done
done_testing
