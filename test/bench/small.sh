#!/bin/sh
# Large calls with a small one among them against the same without; make bench-small
#     small.sh [PAIRS]
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

watchdog=3600 ranks=4
export SMALL_TIMES="${1:-9}"

# run TITLE FS COMMAND...
run()
{
    echo "$1: time of large calls / without a small one (quartiles of $SMALL_TIMES pairs)"
    mkdir "$scratch/d"
    _fs=$2
    shift 2
    over "$_fs" mpi $ranks "$@" "$top_builddir/test/driver/small" "$scratch/d" "$_fs" || exit 2
    rm -r "$scratch/d"
}

with_profile "$(forced_profile change)" run "local files" ufs
export STANDIN_OSTS=8 STANDIN_LAYOUT=1:1048576 STANDIN_TIME=ost:100,node:200,latency:1000,lock:5000
with_profile "$top_srcdir/test/driver/profiles/stripes.json" \
    run "new files on a Lustre stand-in" lustre "$top_srcdir/test/grounds/standin/on-nodes" 4
