#!/bin/sh
# autotune-collect: its command line, statistics, spools of programs, users, imports.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"

autotune=$top_builddir/tools/autotune/autotune
export ROMIO_AUTOTUNE_HISTORY="$scratch/history.db"

# --- the command line

check "--help" sh -c '"$1" --help | diff -u "$2" -' sh "$collect" "$top_srcdir/test/tools/collect-help.expected"
check "--version" test "$("$collect" --version)" = "autotune-collect (romio-autotune) $AUTOTUNE_VERSION"
"$collect" --help > help
in_page()
{
    sed -n 's/^  --\([a-z-]*\).*/\1/p' help | sed 's/-/\\\\-/g' | while read -r _name; do
        echo "$_name"
        grep -qe "^\.BI\{0,1\} .*-$_name" "$top_srcdir/doc/autotune-collect.1" || exit 1
    done
}
check "every option is in the man page" in_page
check "an unknown option" ends 2 "--nonsense" "$collect" --nonsense
check "--json alone" ends 2 "--json is for --show" "$collect" --json
check "--db alone" ends 2 "--db is for --import" "$collect" --db x
check "nobody to ask" ends 1 "no collector listens" "$collect" --show --socket "$socket"
mkdir -m 777 open
check "a folder that others can write to" ends 1 "nobody else can write to" "$collect" --socket "$socket" --dir open
check "a socket there" ends 1 "nobody else can write to" "$collect" --socket open/s --dir "$spools"
ln -s "$spools" link
check "a socket behind a link" ends 1 "and no link" "$collect" --socket link/s --dir "$spools"
check "a name too long" ends 1 "is shorter than" "$collect" --socket "$scratch/$(printf %0120d 0)" --dir "$spools"

# --- start and end

check "in the background" timeout "$watchdog" "$collect" --socket "$socket" --dir "$spools"
check "it answers at once" ends 0 "processes are connected" "$collect" --show --socket "$socket"
check "another one" ends 1 "another collector listens here" "$collect" --socket "$socket" --dir "$spools"
check "the first is still there" "$collect" --show --socket "$socket"
check "it ends" kill "$(cat "$socket.lock")"
free() { flock -n "$socket.lock" true; }
check "with its lock" await free
check "and its socket" test ! -e "$socket"
start
stop KILL
check "killed: the socket stays" test -S "$socket"
check "killed: the next one starts" start
check "SIGTERM: 0" stop

# --- statistics

mkdir -p proc/net proc/self proc/fs/lustre/llite/scratch-ff sys/block/sda/device sys/class/net/eth0/device
echo 1000 > sys/class/net/eth0/speed
# in FILE: what it has is replaced in one piece, of the same length
in_place() { dd of="proc/$1" conv=notrunc status=none; }
# counters NUMBER: all grow by what it says, times the factors that are looked for below
counters()
{
    printf 'cpu %012d 0 0 %012d 0 0 0 0\n' "$1" "$1" | in_place stat
    printf 'MemTotal: 1000 kB\nMemAvailable: 250 kB\nDirty: 10 kB\n' | in_place meminfo
    printf ' lo: 9 0 0 0 0 0 0 0 9 0\n eth0: %012d 0 0 0 0 0 0 0 %012d 0\n' "$((1000 * $1))" "$((2000 * $1))" | in_place net/dev
    printf '8 0 sda 0 0 %012d 0 0 0 %012d 0 0 0 0\n8 1 sda1 0 0 %012d 0 0 0 0 0 0 0 0\n' "$1" "$((2 * $1))" "$1" | in_place diskstats
    printf 'device s:/a mounted on /a with fstype nfs4 statvers=1.1\n\tbytes: 0 0 0 0 %012d %012d 0 0\n' "$((3000 * $1))" "$((4000 * $1))" | in_place self/mountstats
    printf 'read_bytes 1 samples [bytes] 1 1 %012d\nwrite_bytes 1 samples [bytes] 1 1 %012d\n' "$((5000 * $1))" "$((6000 * $1))" | in_place fs/lustre/llite/scratch-ff/stats
}
counters 0
start --proc proc --sys sys
sleep 0.2
for number in 1 2 3 4 5 6 7 8 9 10; do
    counters "$((1000 * number))"
    sleep 0.1
done
sleep 1.2 # until the second that they are in has ended
check "--show" ends 0 "75.0 %" "$collect" --show --socket "$socket"
"$collect" --show --json --socket "$socket" > statistics.json
cat > look.py <<'END_OF_PROGRAM'
import json
d = json.load(open("statistics.json"))
levels = d["levels"]
assert d["format"] == "romio-autotune-statistics" and d["version"] == 1
assert [l["seconds"] for l in levels] == [0.1, 1, 10, 60, 600]
assert len(levels[0]["samples"]) == 10 and 1 <= len(levels[1]["samples"]) <= 10 and not levels[3]["samples"]
for name, factor in [("network_in", 1000), ("network_out", 2000), ("disk_read", 512), ("disk_written", 1024),
                     ("nfs_read", 3000), ("nfs_written", 4000), ("lustre_read", 5000), ("lustre_written", 6000)]:
    total = sum(s[name] * s["seconds"] for s in levels[1]["samples"])
    assert abs(total / (10000 * factor) - 1) < 0.001, (name, total)
assert max(abs(s["memory"] - 0.75) for s in levels[0]["samples"]) < 0.001
assert all(0 <= s[n] <= 1 for l in levels for s in l["samples"] for n in ("cpu", "memory", "network", "io"))
assert any(0 < s["cpu"] <= 0.5 for s in levels[1]["samples"])
assert set(d["utilisation"]) == {"cpu", "memory", "network", "io"}
END_OF_PROGRAM
check "five resolutions, and what is counted" python3 look.py
stop
start
check "of this machine" sh -c 'sleep 1.2; "$1" --show --json --socket "$2" | python3 -c "
import json, sys
d = json.load(sys.stdin)
assert d[\"levels\"][1][\"samples\"] and d[\"utilisation\"][\"memory\"] > 0"' sh "$collect" "$socket"

# --- spools

as_logged()
{
    mkdir "$scratch/random"
    watched "$programs/calls" "$scratch/random" 1 8 500 || return 1
    _spool=$(all_spools)
    "$programs/dump" "$_spool" > dumped || return 1
    for _thread in 0 1 2 3 4 5 6 7; do
        cut -d ' ' -f 2- dumped | grep -F " $scratch/random/$_thread-" | diff "$scratch/random/$_thread.log" - || return 1
    done
}
check "500 random calls in each of 8 threads" as_logged
spool=$(all_spools)
named() { case $spool in "$spools/$me/autotune-$(hostname)-"*.spool) ;; *) return 1 ;; esac; }
check "it is the user's" named
check "and nobody else's" test "$(stat -c '%a %u' "$spool")" = "600 $me"
check "it can be imported" sh -c '"$1" history import "$2" | grep "^1 spools"' sh "$autotune" "$spools/$me"
forget

# same CASE: the program says the same with the collector
same()
{
    { "$programs/cases" "$1" f1 2>&1; echo "code $?"; } > bare
    { watched "$programs/cases" "$1" f1 2>&1; echo "code $?"; } > seen
    diff bare seen
}
modules=record,reasoner
for case in fork exec exec-fails vfork early quick reuse signal fork-early last-thread close-all close-from close-raw killed; do
    check "$case: the same" same $case
    case $case in
        fork | signal) wanted=3 ;;
        exec | exec-fails | vfork | reuse) wanted=2 ;;
        early | quick) wanted=1 ;;
        fork-early) wanted=5002 ;;
        last-thread) wanted=5000 ;;
        close-from) wanted=10001 ;;
        close-all | close-raw) wanted=10000 ;;
        *) wanted='' ;;
    esac
    if [ -n "$wanted" ]; then check "$case: every call" await counted "$wanted"; fi
    forget
done
modules=record
check "many calls" watched "$writer" f 100000 0
check "they are there, or counted" await counted 100000
forget
check "no collector: the program's own spool" sh -c 'ROMIO_AUTOTUNE_WATCH=record,collect:socket=$1/none,spool:dir=$1/own LD_PRELOAD=$2 "$3" f 10 0' sh "$scratch" "$library" "$writer"
check "it is there" test "$(find own -name '*.spool' | wc -l)" -eq 1
forget

# --- users

not() { ! "$@"; }
if [ "$me" -eq 0 ] && command -v setpriv > /dev/null && [ "$(stat -c %u "$spools")" -eq 0 ]; then
    chmod 711 "$scratch"
    chmod 777 "$own"
    cp "$library" "$writer" "$client" "$scratch"
    chmod 755 "$scratch"/libautotune-watch.so "$scratch"/collect_*
    as_nobody() { (cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"); }
    nobody_writes()
    {
        as_nobody env ROMIO_AUTOTUNE_WATCH="record,collect:socket=$socket,spool:dir=$own" \
            LD_PRELOAD="$scratch/libautotune-watch.so" "$scratch/collect_writer" "$own/f" 1000 0
    }
    check "another user" taken nobody_writes
    check "has spools" await is_once 1000
    spool=$(all_spools)
    check "of their own" test "$(stat -c '%a %u' "$spool")" = "600 65534"
    check "in their folder" test "$(dirname "$spool")" = "$spools/65534"
    check "which they can read" as_nobody cat "$spool"
    check "but make nothing in" not as_nobody touch "$spools/65534/x.spool"
    check "one who says to be somebody else" ends 0 "refused 0 a spool of another user" as_nobody "$scratch/collect_client" "$socket" other-user 0
    taken watched "$writer" f 1000 0 > /dev/null
    check "nor can they read root's" not as_nobody cat "$spools"/0/*.spool
    forget
    stop
    # a collector of somebody who is not root: nobody else's calls, and nobody trusts it
    mkdir -m 700 theirs
    chown 65534 theirs
    chmod 755 theirs
    cp "$collect" collect
    as_nobody "$scratch/collect" --foreground --socket "$scratch/theirs/run/s" --dir "$scratch/theirs/spools" 2> /dev/null &
    collector=$!
    await test -S theirs/run/s
    chmod 755 theirs/run
    chmod 666 theirs/run/s
    socket=$scratch/theirs/run/s
    check "root's calls do not go to a user's collector" watched "$writer" f 1000 0
    check "but to a spool of root's" test -z "$(find theirs/spools -name '*.spool')"
    check "it does not take them, either" ends 0 "refused 0 a spool of another user" "$client" "$socket" other-user 65534
    end_theirs() { kill "$(cat "$socket.lock")"; wait "$collector"; }
    check "it ends" end_theirs
    socket=$scratch/run/collect.sock
    forget
else
    skip "other users" "only root can be others"
    stop
fi

# --- imports

# root must name somebody else, who can do it where they reach the program
mkdir db
if [ "$me" -eq 0 ]; then
    check "root must say who imports" ends 2 "needs --import-as" "$collect" --socket "$socket" --dir "$spools" --import 1
    check "who is there" ends 2 "there is no such user" "$collect" --socket "$socket" --dir "$spools" --import 1 --import-as nobody-at-all
    chmod 711 "$scratch"
    as=root
    if command -v setpriv > /dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups "$autotune" --version > /dev/null 2>&1; then
        as=$(id -un 65534)
    fi
    chown "$as" db
    start --import 1 --import-as "$as" --db "$scratch/db/imported.db"
else
    check "nobody else can be another" ends 2 "--import-as is for" "$collect" --socket "$socket" --dir "$spools" --import 1 --import-as root
    as=$(id -un)
    start --import 1 --db "$scratch/db/imported.db"
fi
taken watched "$writer" f 5000 0 > /dev/null
head -c 5000 /dev/urandom > "$spools/$me/garbage.spool"
watched "$programs/cases" killed f > /dev/null 2>&1
empty() { [ -z "$(all_spools)" ]; }
check "spools are imported and removed, also those without an end" await empty
check "the calls are in the history" sh -c '"$1" history jobs --db "$2" | grep collect_writer' sh "$autotune" "$scratch/db/imported.db"
check "they were imported by $as" test "$(stat -c %U db/imported.db)" = "$as"
check "what is no spool was moved aside" test -e "$spools/$me/garbage.spool.bad"
check "and said once" test "$(grep -c 'garbage.spool: cannot be imported' complaints)" -eq 1
stop

# what everybody can see of an import and of its collector
mkdir fake
cat > fake/autotune <<END
#!/bin/sh
tr '\\0' ' ' < /proc/\$\$/cmdline > "$scratch/fake/seen.new"
mv "$scratch/fake/seen.new" "$scratch/fake/seen"
echo "\$ROMIO_AUTOTUNE_HISTORY" > "$scratch/fake/address.new"
mv "$scratch/fake/address.new" "$scratch/fake/address"
END
chmod +x fake/autotune
PATH=$scratch/fake:$PATH
for address in postgresql://ada:secret@/none 'dbname=none password=secret'; do
    rm -f fake/seen fake/address
    # shellcheck disable=SC2086 # an option with its value, or none
    start --import 1 $import_as --db "$address"
    check "an address with a password reaches the import" await grep -Fqx "$address" fake/address
    check "but not its command line" sh -c 'grep "history import" fake/seen && ! grep secret fake/seen'
    check "nor the collector's" sh -c 'tr "\0" " " < "/proc/$1/cmdline" | grep -e "--db xxx" | { ! grep secret; }' sh "$collector"
    stop
done

# --- the unit

unit=$top_srcdir/site/collect/autotune-collect.service
if systemd-analyze security --help 2> /dev/null | grep -q -- --offline; then
    check "systemd takes the unit" systemd-analyze verify --man=no "$unit"
    check "it leaves little to a collector that was taken over" systemd-analyze security --offline=true --threshold=55 --no-pager "$unit"
else
    skip "the unit" "no systemd-analyze"
fi
done_testing
