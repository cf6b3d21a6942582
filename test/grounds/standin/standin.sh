#!/bin/sh
# The file-system stand-in shows what real Lustre, GPFS and NFS show.

. "$top_srcdir/test/lib.sh"

mkdir "$scratch/lustre" "$scratch/gpfs" "$scratch/nfs" || exit 99
built=$(cd "$top_builddir/test/grounds/standin" && pwd) || exit 99  # the program changes directory

# the program's TAP is the output
STANDIN="lustre:$scratch/lustre,gpfs:$scratch/gpfs,nfs:$scratch/nfs" \
STANDIN_OSTS=4 STANDIN_LAYOUT=1:4194304 STANDIN_BLKSIZE=2097152 \
CMOCKA_MESSAGE_OUTPUT=TAP LD_PRELOAD="$built/.libs/standin.so" \
timeout -k 5 "$watchdog" "$built/test_standin" "$scratch"
