# Sourced by the scripts that fetch, patch and build MPICH.

set -eu

say()
{
    echo "romio-autotune: $*"
}

fail()
{
    echo "romio-autotune: $*" >&2
    exit 1
}

# logged WHAT LOG COMMAND...: run COMMAND with its output in LOG, with a line
# about every 20 seconds (2 on a terminal); on failure show the end of LOG.
logged()
{
    _what=$1 _log=$2
    shift 2
    mkdir -p "$(dirname "$_log")"
    : > "$_log"
    "$@" > "$_log" 2>&1 < /dev/null &
    _pid=$!
    trap 'kill $_pid 2>/dev/null; exit 130' HUP INT TERM
    show_progress "$_what" "$_log" "$_pid"
    _rc=0
    wait "$_pid" || _rc=$?
    trap - HUP INT TERM
    if [ "$_rc" -ne 0 ]; then
        echo "--- the end of $_log" >&2
        tail -n 40 "$_log" >&2
        fail "$_what failed (exit $_rc); the whole log is $_log"
    fi
}

show_progress()
{
    _start=$(date +%s)
    _next=2
    while kill -0 "$3" 2>/dev/null; do
        sleep 1
        _now=$(($(date +%s) - _start))
        [ "$_now" -ge "$_next" ] || continue
        # libtool's and automake's quiet lines; 0 in other logs
        _done=$(grep -c '^  CC ' "$2" || true)
        _text="$1: $_now s"
        [ "$_done" -eq 0 ] || _text="$_text, $_done files compiled"
        if [ -t 1 ]; then
            printf '\r%s' "romio-autotune: $_text"
            _next=$((_now + 2))
        else
            say "$_text"
            _next=$((_now + 20))
        fi
    done
    if [ -t 1 ] && [ "$_next" -gt 2 ]; then printf '\n'; fi
}

# hash_of FILES-OR-TEXT...: one checksum over contents of files and over words
hash_of()
{
    for _item; do
        if [ -f "$_item" ]; then cat "$_item"; else echo "$_item"; fi
    done | sha256sum | cut -d' ' -f1
}

# is_done STAMP HASH / mark_done STAMP HASH: a step is done when its stamp
# holds the hash of all it depends on; the stamp is written last.
is_done()
{
    [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]
}

mark_done()
{
    echo "$2" > "$1.tmp" && mv "$1.tmp" "$1"
}

# use_masks BUILD: compile with the masks beside the build folder of MPICH
# ($here/build makes them); a compilation is the same in every checkout.
use_masks()
{
    CCACHE_BASEDIR=$(cd "$here/../.." && pwd) CCACHE_NOHASHDIR=1 PATH=$1.masks:$PATH
    export CCACHE_BASEDIR CCACHE_NOHASHDIR PATH
}

# archive_version FILE: MPICH's version by the first name in the archive (mpich-4.0.2/...), or nothing
archive_version()
{
    tar tf "$1" 2> /dev/null | sed -n '1s,^\./,,;1s,^mpich-\([^/]*\)/.*,\1,p;1q'
}

# version_number VERSION: as a number to compare; 4.2.3 is 40203, and so is 4.2.3rc1
version_number()
{
    echo "$1" | awk -F. '{ print $1 * 10000 + $2 * 100 + $3 }'
}

# patches_for FOLDER VERSION: the newest set of patches in FOLDER that is not newer
# than MPICH VERSION, or nothing
patches_for()
{
    _wanted=$(version_number "$2") _newest=0 _found=''
    for _set in "$1"/mpich-*; do
        _number=$(version_number "${_set##*/mpich-}")
        if [ "$_number" -le "$_wanted" ] && [ "$_number" -gt "$_newest" ]; then
            _newest=$_number _found=$_set
        fi
    done
    echo "$_found"
}
