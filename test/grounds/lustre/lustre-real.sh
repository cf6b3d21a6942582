#!/bin/sh
# The script for a real Lustre, here over the stand-in.
. "${top_srcdir:?}/test/lib.sh"

real=$top_srcdir/test/grounds/lustre/lustre-real
on_clients=$top_srcdir/test/grounds/standin/on-clients

# ends CODE TEXT COMMAND...: ends with that code and says so
ends()
{
    _code=$1 _text=$2
    shift 2
    "$@" > "$scratch/out" 2>&1
    set -- $?
    cat "$scratch/out"
    [ "$1" -eq "$_code" ] && grep -q -- "$_text" "$scratch/out"
}

mkdir "$scratch/d"
check "help" ends 0 "usage: lustre-real" "$real" --help
check "no directory" ends 2 "one DIR is needed" "$real"
check "an unknown option" ends 2 "--late is no option" "$real" --late "$scratch/d"
check "an option without its value" ends 2 "--ranks has no value" "$real" --ranks
check "ranks that are no numbers" ends 2 "not a list of numbers" "$real" --ranks x "$scratch/d"
check "no build" ends 3 "no such directory" "$real" --build "$scratch/none" "$scratch/d"
check "programs that were not built" ends 3 "is not there" \
    "$real" --build "$top_builddir" --only none "$scratch/d"
check "no Lustre" ends 3 "is not on Lustre" "$real" --build "$top_builddir" "$scratch/d"
check "no such directory" ends 3 "not a directory" "$real" --build "$top_builddir" "$scratch/none"

export STANDIN_OSTS=3
over lustre check "too few OSTs" ends 3 "has 3 OSTs" "$real" --build "$top_builddir" "$scratch/d"
export STANDIN_OSTS=4 STANDIN_LAYOUT=1:4194304

# a rank that cannot even start is no success
over lustre check "a program that fails" ends 1 "^not ok" \
    "$real" --build "$top_builddir" --only late --ranks 1 --each false "$scratch/d"
check "what failed is explained" grep -q "^# A program crashed" "$scratch/out"
for n in 1 2 4; do
    over lustre check_tap "one client, $n ranks" \
        "$real" --build "$top_builddir" --pool flash --ranks $n "$scratch/d"
done
STANDIN_OSTS=8 over lustre check_tap "eight OSTs" \
    "$real" --build "$top_builddir" --only "facts layouts" --ranks 2 "$scratch/d"
over lustre check_tap "two clients" \
    "$real" --build "$top_builddir" --pool flash --only "late layouts" --ranks 2 \
    --each "$on_clients 2" "$scratch/d"
check "nothing is left" sh -c "[ -z \"\$(ls -A '$scratch/d')\" ]"
done_testing
