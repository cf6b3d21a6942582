#!/bin/sh
# The workloads leave the bytes they should, through autotune and without it, and
# notice when they do not.
. "${top_srcdir:?}/test/lib.sh"

bin=$top_builddir/study/workloads
ranks=4
file=$scratch/file
LD_LIBRARY_PATH=$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# workload PROGRAM OPTIONS...: on $ranks ranks
workload()
{
    _program=$1
    shift
    mpi $ranks "$bin/$_program" "$@"
}

# exits CODE TEXT COMMAND...: ends with CODE and says TEXT
exits()
{
    _code=$1 _text=$2
    shift 2
    "$@" > "$scratch/said" 2>&1
    _rc=$?
    cat "$scratch/said"
    [ $_rc -eq "$_code" ] && grep -qF -- "$_text" "$scratch/said"
}

# same FILE SIZE: both ways left the same file of that size
same()
{
    cmp "$1-ufs" "$1-autotune" && [ "$(wc -c < "$1-ufs")" -eq "$2" ]
}

# damage FILE OFFSET: one byte becomes another
damage()
{
    _old=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059 # an octal escape
    printf "\\$(printf %o $(((_old + 1) % 256)))" |
        dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}

# --- patterns: 240 KiB of each process, except where options say otherwise

# pattern NAME RANKS OPTIONS...
pattern()
{
    name=$1 ranks=$2
    shift 2
    for how in --collective --independent; do
        for way in ufs autotune; do
            check "$name on $ranks, $how, $way: written" workload pattern --pattern "$name" \
                "$@" $how --verify "$way:$file-$way"
            check "$name on $ranks, $how, $way: read" workload pattern --pattern "$name" "$@" \
                $how --read --verify "$way:$file-$way"
        done
        check "$name on $ranks, $how: the same file both ways" same "$file" $((240 * 1024 * ranks))
    done
    ranks=4
}

for n in 3 4; do
    pattern contiguous $n --bytes 240K
    pattern segmented $n --bytes 240K
    pattern strided $n --bytes 240K --block 4K --calls 2
    pattern 2d $n --bytes 240K --block 2K --calls 2
    pattern 3d $n --bytes 240K --block 2K --calls 2
    pattern uneven $n --bytes 240K --block 5K --calls 3
    pattern tiny $n --bytes 240K --block 24 --calls 80
done

# All patterns leave the same file, whose contents tell their place.
workload pattern --pattern contiguous --bytes 64K "ufs:$file-a" > /dev/null
workload pattern --pattern 3d --bytes 64K "ufs:$file-b" > /dev/null
check "contiguous and 3d leave the same file" cmp "$file-a" "$file-b"

# --- damage

for offset in 0 77777 262143; do
    workload pattern --bytes 64K "ufs:$file" > /dev/null
    check "the undamaged file is right" workload pattern --read --bytes 64K --verify "ufs:$file"
    damage "$file" $offset
    for name in contiguous strided 2d 3d uneven; do
        check "a byte damaged at $offset is found: $name" exits 1 \
            "1 bytes are wrong, the first at $offset" \
            workload pattern --pattern $name --read --bytes 64K --verify "ufs:$file"
    done
done
check "damage after writing is found" exits 1 "1 bytes are wrong, the first at 131072" \
    workload pattern --pattern strided --bytes 64K --verify --damage "ufs:$file"

# --- report

workload pattern --pattern strided --bytes 64K --calls 2 --repeat 2 --json --hint cb_nodes=1 \
    --hint cb_buffer_size=32768 --delete "autotune:$file" > "$scratch/json" 2>&1
check "one line for each repetition" [ "$(grep -c '^{"workload":"strided".*}$' "$scratch/json")" -eq 2 ]
check "deleted" [ ! -e "$file" ]
for text in '"bytes":262144,' '"read":false,"collective":true,"ranks":4,' '"repetition":1,' \
    '"cb_nodes":"1"' '"cb_buffer_size":"32768"' '"romio_aggregator_list":"0 "' \
    '"romio_autotune_wrapped":"ufs"' '"romio_autotune_status":"'; do
    check "the report has $text" grep -F "$text" "$scratch/json"
done
check "times of open, each call and close" grep -Eq \
    '"open":[0-9.e-]+,"calls":\[[0-9.e-]+,[0-9.e-]+\],"close":[0-9.e-]+,' "$scratch/json"

# --- wrong command lines

# wrong TEXT OPTIONS...
wrong()
{
    _says=$1
    shift
    check "wrong: pattern $*" exits 2 "pattern: $_says" workload pattern "$@"
}

wrong "which FILE?"
wrong "one FILE only" a b
wrong "unknown option --patern" --patern 2d f
wrong "--pattern 4d: is not" --pattern 4d f
wrong "--bytes 1X: is not a size" --bytes 1X f
wrong "--hint cb_nodes: is not KEY=VALUE" --hint cb_nodes f
wrong "--collective and --independent" --collective --independent f
wrong "--block: this pattern has none" --block 4K f
wrong "--bytes must be a multiple of --calls" --bytes 1000 --calls 3 f
wrong "--bytes must be a multiple of --calls times --block" --pattern 2d --bytes 1000 --block 3 f
wrong "--block is too small" --pattern uneven --bytes 99 --block 3 f
wrong "--bytes: more in a call" --pattern strided --bytes 4G f
wrong "--damage needs --verify" --damage f
check "a file that cannot be made" exits 1 "cannot open it" workload pattern --bytes 64K \
    "ufs:$scratch/none/file"
check "help" exits 0 "usage: pattern" workload pattern --help

# --- kernels

if [ ! -x "$bin/vpic" ]; then
    skip "kernels" "no parallel HDF5 for MPICH (pkg-config hdf5-mpich) was found by configure"
    done_testing
    exit
fi

# kernel NAME BYTES OPTIONS...: BYTES is all data that $ranks ranks write
kernel()
{
    name=$1 bytes=$2
    shift 2
    for way in ufs autotune; do
        workload "$name" "$@" --verify --json "$way:$file-$way" > "$scratch/json" 2>&1
        check "$name, $way: verified" [ $? -eq 0 ]
        check "$name, $way: $bytes bytes" grep -F "\"bytes\":$bytes," "$scratch/json"
    done
    check "$name: the decision is told" grep -F '"romio_autotune_status":"' "$scratch/json"
    check "$name: the same file both ways" cmp "$file-ufs" "$file-autotune"
    check "$name: damage is found" exits 1 "1 bytes are wrong" workload "$name" "$@" --verify \
        --damage "ufs:$file"
    check "$name: wrong scale" exits 2 "--scale 0: is not" workload "$name" --scale 0 f
    check "$name: no file" exits 2 "which FILE?" workload "$name"
    check "$name: help" exits 0 "usage: $name" workload "$name" --help
}

# 8 variables x 4 ranks x 8192 particles x 4 bytes
kernel vpic $((8 * 4 * 8192 * 4)) --scale 0.0009765625
# 2 steps x 3 components x 4 ranks x 25 x 25 x 15 cells x 8 bytes
kernel vorpal $((2 * 3 * 4 * 25 * 25 * 15 * 8)) --scale 0.015625 --steps 2
# 10 variables x 4 ranks x 26 interfaces x 10 panels x 32 cells x 4 bytes
kernel gcrm $((10 * 4 * 26 * 10 * 32 * 4)) --scale 0.0009765625

# The smallest that there is, on a number of ranks that divides nothing.
ranks=7
check "vorpal on 7 ranks, one cell each" workload vorpal --scale 1e-9 --steps 1 --verify "ufs:$file"
check "vpic on 7 ranks, one particle each" workload vpic --scale 1e-9 --verify "ufs:$file"

done_testing
