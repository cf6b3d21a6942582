#!/bin/sh
# A program whose time is known: search-fake.sh LOG [MODE]
#
# It reads its settings as the driver would, and prints, last, what it takes with them: 4 without
# any, 1 at best (16 aggregators, buffers of 8 MiB, no fill values).  LOG gets a line at its end.
# It leaves the record $SEARCH_RECORD.  MODE: record, with that time; none, no record; broken, a bad
# one; fail, hang, garbage, it does so with 32 aggregators; sleep, it takes a moment; always, it fails.
set -eu
log=$1 mode=${2-number}

set_to() # NAME: its number, or nothing
{
    if [ "$ROMIO_AUTOTUNE_ADVICE" != built-in ]; then
        tr -d ' \n' < "$ROMIO_AUTOTUNE_ADVICE" | sed -n "s/.*\"$1\":\"*\([0-9a-z]*\).*/\1/p"
    fi
}

nodes=$(set_to cb_nodes) buffer=$(set_to cb_buffer_size) fill=$(set_to fill_time)
value=$(awk -v n="$nodes" -v b="$buffer" -v f="$fill" -v advice="$ROMIO_AUTOTUNE_ADVICE" '
    function far(a, b) { return a > b ? log(a / b) / log(2) : log(b / a) / log(2) }
    BEGIN {
        t = 1 + 0.3 * far(n == "" ? 4 : n, 16) + 0.2 * far(b == "" ? 16777216 : b, 8388608)
        if (f != "never") t *= 1.2
        printf "%.6g", advice == "built-in" ? 4 : t
    }')

if [ "$nodes" = 32 ]; then
    case $mode in
        fail) echo "no such aggregator" >&2; exit 3 ;;
        hang) sleep 100000 & echo $! >> "$log.children"; wait ;;
        garbage) head -c 1000 /dev/urandom; exit 0 ;;
    esac
fi
# What the driver leaves, without the program's name.
leave()
{
    sed 's/"program":"[^"]*",//' "${SEARCH_RECORD:?}" >> "$ROMIO_AUTOTUNE_RECORD"
}

case $mode in
    record)
        sed "s/\"write\":{\"calls\":6,\"seconds\":2.45/\"write\":{\"calls\":6,\"seconds\":$value/" \
            "${SEARCH_RECORD:?}" >> "$ROMIO_AUTOTUNE_RECORD" ;;
    none | always) ;;
    broken) echo '{"format": "romio' > "$ROMIO_AUTOTUNE_RECORD"; echo >> "$ROMIO_AUTOTUNE_RECORD" ;;
    sleep) leave; sleep 0.05 ;;
    *) leave ;;
esac
[ "$mode" != always ] || exit 3
echo "$AUTOTUNE_SEARCH_RUN" >> "$log"
echo "this is what it takes:"
echo "$value"
