#!/bin/sh
# autotune-write: what it prints, changes and refuses.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

write=$top_builddir/tools/write/autotune-write
cd "$scratch" || exit 99
unset ROMIO_AUTOTUNE

# writes N OPTION...: succeeds; what it prints is in said, and no file is left
writes()
{
    _n=$1
    shift
    mkdir -p data
    mpi "$_n" "$write" --bytes 256K --block 16K --repeats 3 "$@" "$scratch/data" > said || return 1
    cat said
    [ -z "$(find data -type f ! -name .standin-time)" ]
}

refuses()
{
    _text=$1
    shift
    mpi 2 "$write" "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq 2 ] && [ ! -s said ] && [ "$(grep -cF -e "$_text" complaint)" -eq 1 ]
}

version=$(sed -n "s/^AC_INIT(\\[romio-autotune\\], \\[\\(.*\\)\\])$/\\1/p" "$top_srcdir/configure.ac")
check "--version" test "$("$write" --version)" = "autotune-write (romio-autotune) $version"
check "--help" sh -c "'$write' --help | grep -q -e '--read'"
check "--heading" sh -c "[ \"\$('$write' --heading | tr -s ' ')\" = ' default automatic speed-up (range) changed to (from)' ]"

number='[0-9]+\.[0-9]+'
row="$number s +$number s  x$number \(x$number to x$number\) +"
check "a write" writes 4
check "its report" sh -c "grep -q '^write by 4 processes, 262144 bytes each in blocks of 16384$' said &&
    grep -q '^  romio_autotune_wrapped   ufs$' said && grep -q '^  speed-up .*median of 3 pairs' said"
check "one process" writes 1
check "is one" grep -q '^write by 1 process, ' said
check "a read" writes 4 --read
check "its report" grep -q '^read by 4 processes, ' said
check "a line of a write" writes 4 --line "a write"
check "that left the default" grep -Exq "a write +$row""nothing was changed" said
check "is all" test "$(wc -l < said)" -eq 1
check "a line of a read" writes 4 --read --line "a read"
check "that left the default" grep -Exq "a read +$row""nothing was changed" said

good=$(forced_profile change)
export ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_PROFILE="$good"
check "a write that is tuned" writes 4 --line "a write"
check "tells what was changed, from what" grep -Eq "^a write +$row""[a-z_]+ [0-9A-Za-z]+ \\([0-9A-Za-z]+\\)" said
check "a read that is tuned" writes 4 --read --line "a read"
check "on Lustre (stand-in)" over lustre writes 4 --line "a new file"
unset ROMIO_AUTOTUNE

check "no directory" refuses "name one directory" --bytes 1M
check "bytes that blocks do not divide" refuses "a multiple of block" --bytes 100K --block 64K "$scratch"
check "an unknown option" refuses "Try 'autotune-write --help'" --fast "$scratch"
nowhere()
{
    mpi 2 "$write" "$scratch/none" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq 1 ] && [ ! -s said ] && grep -q "autotune-write: opening autotune:$scratch/none/autotune-write.data: " complaint
}
check "a directory that is not there" nowhere
done_testing
