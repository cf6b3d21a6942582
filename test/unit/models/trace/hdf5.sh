#!/bin/sh
# The accesses predicted for data sets of HDF5 against those that HDF5 makes: calls, offsets and
# bytes of every piece, as its own program sets layouts, and as module hdf5 of
# libautotune-watch.so does.  AUTOTUNE_FULL=1 tries ten times as many.
. "${top_srcdir:?}/test/lib.sh"

program=$top_builddir/test/unit/models/trace/hdf5
library=$top_builddir/watch/.libs/libautotune-watch.so
cases=24
[ -z "${AUTOTUNE_FULL-}" ] || cases=240
watchdog=600

if [ ! -x "$program" ]; then
    skip "HDF5" "there is no HDF5 for MPICH"
    done_testing
    exit
fi
export LD_LIBRARY_PATH="$LIBDIR"
if ! "$program" --version > "$scratch/version"; then
    skip "HDF5" "this is $(cat "$scratch/version"), and what 1.10 does was read"
    done_testing
    exit
fi

for ranks in 1 2 3 4; do
    check_mpi "$ranks ranks" $ranks "$program" "$scratch/file.h5" $ranks $cases
done

# advised RANKS TEXT SET: the program sets nothing, advice does, and TEXT is what comes of it
advised()
{
    printf '{"format": "romio-autotune-advice", "version": 1, "rules": [{"match": {"file": "*"}, "set": %s}]}\n' "$3" \
        > "$scratch/advice.json"
    check_mpi "advice: $2" "$1" env ROMIO_AUTOTUNE_WATCH=hdf5 ROMIO_AUTOTUNE_ADVICE="$scratch/advice.json" \
        LD_PRELOAD="$library" "$program" "$scratch/file.h5" 7 8 leave
    check "advice: $2: was followed" grep -qF -e "$2" "$scratch/.tap.log"
}

if [ -e "$library" ]; then
    advised 4 "contiguous, alignment 65536 from 1024 on" '{"hdf5_alignment": [1024, 65536]}'
    advised 3 "chunked, alignment 4096 from 0 on" '{"hdf5_alignment": [0, 4096], "hdf5": {"chunk_bytes": 4096}}'
    advised 2 "chunked, not filled, alignment 1 from 1 on, blocks of 65536" \
        '{"hdf5": {"chunk_bytes": 512, "fill_time": "never", "metadata_block_size": 65536}}'
else
    skip "advice" "libautotune-watch.so was not built"
fi
done_testing
