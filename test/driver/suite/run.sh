#!/bin/sh
# run.sh SET PROGRAM RANKS FS: run one upstream program over FS, directly and
# in each way through autotune, and write to the directory $suite_results a
# file of lines "WAY RESULT SECONDS" and, beside it, what the program said.

. "$top_srcdir/test/lib.sh"

set_=$1 program=$2 ranks=$3 fs=$4
out=$suite_results/$set_.$program.$ranks.$fs
watchdog=30

# Small enough that the programs' files have several stripes and blocks
export STANDIN_LAYOUT=3:65536 STANDIN_BLKSIZE=65536

entry=$(awk -v s="$set_" -v p="$program" '$1 == s && $2 == p' "$top_srcdir/test/driver/suite/programs")
accepts=$(echo "$entry" | cut -d ' ' -f 4)
arguments=$(echo "$entry" | cut -s -d ' ' -f 5-)
# since MPICH 4.3 more of ROMIO's programs want the word before the name
case $set_,$arguments in
    romio,*-fname*) ;;
    romio,?*) if grep -q '"-fname"' "$MPICH_SOURCE/src/mpi/romio/test/$program.c"; then arguments="-fname $arguments"; fi ;;
esac

# What says that all is well: some programs only print what they measured
passed=' No Errors|Read bandwidth after file sync|Collective read bandwidth|internal datarep is'

accepted()
{
    case $accepts in
        *+) [ "$ranks" -ge "${accepts%+}" ] ;;
        *) [ "$ranks" -eq "$accepts" ] ;;
    esac
}

# result STATUS LOG: ok; quiet (ended well, but did not say so); fail; refused
# (not with so many ranks: known beforehand, since the message is often lost
# in the abort); crash; hang
result()
{
    case $1 in
        0) if grep -Eq "$passed" "$2"; then echo ok; else echo quiet; fi ;;
        124 | 137) echo hang ;;
        *)
            if grep -Eq 'EXIT STRING:.*\(signal (4|6|7|8|11)\)' "$2"; then
                echo crash
            elif accepted; then
                echo fail
            else
                echo refused
            fi
            ;;
    esac
}

# run_in DIR FILE: run the program with DIR as its working directory, from a
# copy there, since zero_count reads its own executable
run_in()
{
    cd "$1" || exit 99
    cp "$suite_bin/$set_/$program" \
        "$MPICH_SOURCE/src/mpi/romio/test/test_hintfile" . || exit 99
    # shellcheck disable=SC2046 # the arguments are words
    over "$fs" mpi "$ranks" "./$program" $(echo "$arguments" | sed "s|%f|$2|")
}

# left DIR: the files the program left, with checksums; with sizes only where
# the content depends on the order of the ranks or is memory that was never set,
# which is ROMIO's gap between two writes of atomicity beyond the file's end
left()
{
    cd "$1" || exit 99
    rm -f "$program" test_hintfile
    case $program,${suite_other-} in
        shared_fp,* | status,* | perf,* | coll_perf,* | atomicity,yes) _sum='wc -c' ;;
        *) _sum='cksum' ;;
    esac
    # shellcheck disable=SC2086 # a command with its option
    find . -type f | sort | xargs -r $_sum
}

# wrong_driver LOG: was another driver wrapped than that of FS?  Only asked of
# single ranks, which nobody's output can interrupt.
wrong_driver()
{
    [ "$ranks" -eq 1 ] &&
        [ "$(sed -n 's/^key = romio_autotune_wrapped *value = *//p' "$1" | tr -d ' ' | sort -u)" != "$fs" ]
}

# other_files DIR WAY: did it leave other files than the direct run, if that
# was ok?  Adds the difference to the log.
other_files()
{
    (left "$1") > "$scratch/$2.left"
    [ -e "$scratch/direct.left" ] &&
        ! diff "$scratch/direct.left" "$scratch/$2.left" >> "$out.$2.log"
}

# way NAME FORCED FILE: one run in a directory of its own, with FORCED as
# ROMIO_FSTYPE_FORCE; "files" and "driver" are results that only seem ok
way()
{
    _dir=$scratch/$1
    mkdir "$_dir"
    _start=$(date +%s.%N)
    (
        if [ -n "$2" ]; then export ROMIO_FSTYPE_FORCE="$2"; fi
        if [ "$ranks" -eq 1 ]; then export ROMIO_PRINT_HINTS=1; fi
        run_in "$_dir" "$3"
    ) > "$out.$1.log" 2>&1
    _result=$(result $? "$out.$1.log")
    _end=$(date +%s.%N)
    if [ "$_result" = ok ] && other_files "$_dir" "$1"; then _result=files; fi
    if [ "$_result" = ok ] && [ "$1" != direct ] && [ "$1" != preload ] && wrong_driver "$out.$1.log"; then
        _result=driver
    fi
    rm -rf "$_dir"
    echo "$1 $_result $_start $_end" | awk '{ printf "%s %s %.2f\n", $1, $2, $4 - $3 }' >> "$out"
}

# tuned WAY FORCED FILE: the same with decisions by a random profile of this run's
# own, and little memory for buffers
tuned()
{
    (
        _seed=$(echo "$set_ $program $ranks $fs $1" | cksum | cut -d ' ' -f 1)
        awk -v seed="$_seed" -f "$top_srcdir/test/driver/random-profile.awk" > "$scratch/profile.json"
        export ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_PROFILE="$scratch/profile.json"
        export ROMIO_AUTOTUNE_MEMORY=$((ranks * (10000 + _seed % 1000000)))
        way "tuned-$1" "$2" "$3"
    )
}

[ -x "$suite_bin/$set_/$program" ] || exit 0
way direct "$fs:" "$scratch/direct/testfile"
if [ -n "${suite_library-}" ]; then
    also_preload=$suite_library
    way preload "$fs:" "$scratch/preload/testfile"
fi
way force autotune: "$scratch/force/testfile"
tuned force autotune: "$scratch/tuned-force/testfile"
case $arguments in
    *%f*) way nested "" "autotune:$fs:$scratch/nested/testfile" ;;
esac
case ${AUTOTUNE_FULL:-0}$arguments in
    1*%f*)
        way name "" "autotune:$scratch/name/testfile"
        tuned name "" "autotune:$scratch/tuned-name/testfile"
        tuned nested "" "autotune:$fs:$scratch/tuned-nested/testfile"
        ;;
esac
