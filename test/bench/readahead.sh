#!/bin/sh
# Strided reads of a file that is not cached, by themselves, with posix_fadvise in the program, and with
# the module `readahead` in an unmodified one; make bench-readahead
#     readahead.sh [ROUNDS [DIR]]
# Reads of 1 KiB with strides of 20 KiB and 1000 KiB on the disk of DIR (default: TMPDIR or /tmp), with
# pauses of 100 us and 10 ms; as root, also on a disk that takes some ms for each read: a device mapper
# with delay over a loop device, or DIR's disk with a limit of reads a second (cgroup).  The three take
# turns, in each round another is the first.  As root, all caches are dropped before each run; otherwise
# the file's own.  Exit code: 0 where advice in the program gains 20 %, the module gains, too; 1 not so.
. "${top_srcdir:?}/test/lib.sh"

rounds=${1:-5} folder=${2:-${TMPDIR:-/tmp}}
library=$top_builddir/watch/.libs/libautotune-watch.so
program=$top_builddir/test/bench/readahead
watchdog=900
work=$(mktemp -d "$folder/autotune-readahead.XXXXXX") || exit 2
mkdir "$work/mounted" "$work/spools"
mapped='' loop='' group=''
home=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
is_root() { [ "$(id -u)" -eq 0 ]; }

# what was made is taken back, in reverse
clean_up()
{
    umount "$work/mounted" 2> /dev/null
    [ -z "$mapped" ] || dmsetup remove "$mapped" 2> /dev/null
    [ -z "$loop" ] || losetup -d "$loop" 2> /dev/null
    if [ -n "$group" ]; then
        echo $$ > "$home/cgroup.procs"
        rmdir "$group"
    fi
    rm -rf "$scratch" "$work"
}
trap clean_up EXIT

[ -w /proc/sys/vm/drop_caches ] || echo "only the file's own cache is dropped: that of all takes root"
drop_caches()
{
    sync "$file"
    [ ! -w /proc/sys/vm/drop_caches ] || echo 3 > /proc/sys/vm/drop_caches
}

# --- grounds: $file is on them

# make_file MIB
make_file()
{
    [ "$(df -Pk "${file%/*}" | awk 'NR == 2 { print int($4 / 1024) }')" -gt $(($1 + 64)) ] || return 1
    head -c "$1M" /dev/urandom > "$file" && sync "$file"
}

# a file system on a disk that takes 4 ms for each read
delayed()
{
    is_root || return 1
    for _tool in dmsetup losetup mkfs.ext4 blockdev; do command -v "$_tool" > "$scratch/tool" || return 1; done
    truncate -s 640M "$work/disk" || return 1
    loop=$(losetup -f --show "$work/disk" 2> /dev/null) || return 1
    echo "0 $(blockdev --getsz "$loop") delay $loop 0 4 $loop 0 0" | dmsetup create "autotune-$$" 2> /dev/null || return 1
    mapped=autotune-$$
    mkfs.ext4 -q "/dev/mapper/$mapped" && mount "/dev/mapper/$mapped" "$work/mounted"
}

# the disk of the folder, with 250 reads a second at most
limited()
{
    is_root && grep -qsw io /sys/fs/cgroup/cgroup.subtree_control && [ -w "$home/cgroup.procs" ] || return 1
    _device=$(lsblk -no PKNAME,NAME "$(df -P "$work" | awk 'NR == 2 { print $1 }')" 2> /dev/null | awk 'NR == 1 { print $1 }')
    [ -r "/sys/block/$_device/dev" ] || return 1
    group=/sys/fs/cgroup/autotune-$$
    mkdir "$group" || { group='' && return 1; }
    echo "$(cat "/sys/block/$_device/dev") riops=250" > "$group/io.max" && echo $$ > "$group/cgroup.procs"
}

# --- runs

# read_it HOW STRIDE READS PAUSE: microseconds of a read; hits of the module are in $scratch/hits
read_it()
{
    _how=$1
    shift
    drop_caches
    case $_how in
        plain) timeout "$watchdog" "$program" "$file" "$@" ;;
        program) timeout "$watchdog" "$program" "$file" "$@" advise ;;
        module)
            timeout "$watchdog" env ROMIO_AUTOTUNE_WATCH="readahead,spool:dir=$work/spools" LD_PRELOAD="$library" "$program" "$file" "$@"
            _code=$?
            "$top_builddir/test/watch/dump" --surveys "$work"/spools/*.spool |
                sed -n 's/.*"reads": \([0-9]*\), "advised": \([0-9]*\), "hits": \([0-9]*\), "misses": \([0-9]*\).*/\1 \2 \3 \4/p' > "$scratch/hits"
            rm -f "$work"/spools/*.spool
            return $_code
            ;;
    esac
}

# compare NAME STRIDE READS PAUSE
compare()
{
    _name=$1
    shift
    for _round in $(seq "$rounds"); do
        for _turn in 0 1 2; do
            case $(((_round + _turn) % 3)) in
                0) plain=$(read_it plain "$@") || exit 2 ;;
                1) own=$(read_it program "$@") || exit 2 ;;
                2) module=$(read_it module "$@") || exit 2 ;;
            esac
        done
        printf '%s\t%s\t%s\t%s\t%s\n' "$_name" "$plain" "$own" "$module" "$(cat "$scratch/hits")"
    done >> "$scratch/rounds"
}

file=$work/file
make_file 400 || { echo "there is no room for 400 MiB in $folder" >&2; exit 2; }
compare "disk, 20 KiB" 20480 2000 100
compare "disk, 1000 KiB" 1024000 400 10000
rm "$file"
ground=''
if delayed; then
    ground="delayed disk" file=$work/mounted/file
elif limited; then
    ground="limited disk"
fi
if [ -n "$ground" ] && make_file 400; then
    compare "$ground, 20 KiB" 20480 400 6000
    compare "$ground, 1000 KiB" 1024000 400 10000
else
    echo "a slow disk could not be made: that takes root, and a device mapper with delay or cgroups with io"
fi

awk -F '\t' '
    function median(values,    i, j, swap) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) { swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
        return values[int((count + 1) / 2)]
    }
    function spread(values) { return sprintf("%.1f us (%.1f to %.1f)", median(values), values[1], values[count]) }
    function tell(    one, two, three, note) {
        one = spread(plain); two = spread(own); three = spread(module)
        note = median(own) > 0.8 * median(plain) ? "; there is nothing to gain" : median(module) >= median(plain) ? ": MISSED" : ""
        bad += note ~ /MISSED/
        split(hits, n, " ")
        printf "%-24s regular %s  in the program %s  module %s%s\n%-24s the module advised %d of %d reads, %d of them right, %d wrong\n",
            name, one, two, three, note, "", n[2], n[1], n[3], n[4]
        count = 0
    }
    NR > 1 && $1 != name { tell() }
    { name = $1; plain[++count] = $2; own[count] = $3; module[count] = $4; hits = $5 }
    END { if (count > 0) tell(); exit bad > 0 }' "$scratch/rounds"
