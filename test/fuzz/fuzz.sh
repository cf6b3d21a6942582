#!/bin/sh
# Parsers read what others wrote: inputs of every target of test/fuzz, the odd ones among them.
. "${top_srcdir:?}/test/lib.sh"

replay()
{
    FUZZ_TARGETS=$1 make --no-print-directory -C "$top_builddir" fuzz-replay FUZZ_DIRECTORY="$scratch/fuzz"
}
targets=$(sed 's/^#.*//; s/ .*//' "$top_srcdir/test/fuzz/targets")
for target in $targets; do
    check "$target" replay "$target"
done
listed()
{
    for _folder in "$top_srcdir"/test/fuzz/corpus/*; do
        echo "$targets" | grep -qx "$(basename "$_folder")" || { echo "$_folder"; return 1; }
    done
}
check "no folder of inputs is left out" listed
done_testing
