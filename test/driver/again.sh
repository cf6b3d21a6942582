#!/bin/sh
# Files that are opened again: they show the same, set fewer keys and send no more messages than
# with the wrapped driver, and do not look for our files more than once a second.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

# again RANKS FS DESCRIPTION
again()
{
    mkdir "$scratch/d"
    over "$2" check_mpi "$3" "$1" "$top_builddir/test/driver/again" "$scratch/d" "$2"
    rm -r "$scratch/d"
}

profile=$(forced_profile many)
for fs in ufs nfs gpfs lustre; do
    for ranks in 1 2 5; do
        again $ranks $fs "$fs, $ranks ranks"
        with_profile "$profile" again $ranks $fs "$fs, $ranks ranks, tuned"
    done
done

if ! strace -qq -o /dev/null true 2> /dev/null; then
    skip "looks for files" "no strace, or it may not trace"
    done_testing
    exit
fi

folder=$scratch/home/.config/romio-autotune
mkdir -p "$folder/profiles.d" "$scratch/d"
cp "$profile" "$folder/profile.json"
cp "$profile" "$folder/profiles.d/other.json"
printf '{"format": "romio-autotune-topology", "version": 1, "psets": [{"nodes": [{"name": "%s"}]}]}\n' \
    "$(uname -n)" > "$folder/topology.json"
export HOME="$scratch/home" ROMIO_AUTOTUNE_TOPOLOGY="$folder/topology.json" AGAIN_OPENS=100
unset XDG_CONFIG_HOME ROMIO_AUTOTUNE_PROFILE
check_mpi "100 opens" 2 strace -ff -qq -ttt -s 4096 -o "$scratch/t" -e trace=%file \
    "$top_builddir/test/driver/again" "$scratch/d" ufs
# calls on each path of ours, for each second that passes between the first and the last open
# shellcheck disable=SC2016
awk -v folder="$folder/" '
    FNR == 1 { begun = 0 }
    /opens-begin/ { begun = 1 }
    begun && match($0, /"[^"]*"/) {
        path = substr($0, RSTART + 1, RLENGTH - 2)
        if (path ~ /many$/) { if (!first) first = $1; last = $1 }
        if (index(path, folder) == 1) { sub(/\(.*/, "", $2); looks[$2 " " path]++ }
    }
    END {
        for (look in looks) {
            print looks[look], look
            many += looks[look] > last - first + 1
            paths++
        }
        exit paths < 4 || many > 0
    }' "$scratch"/t.* > "$scratch/looks"
check "each file of ours is looked for once a second" test $? -eq 0
cat "$scratch/looks" | sed 's/^/# /'
done_testing
