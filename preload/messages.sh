#!/bin/sh
# The texts of MPICH's messages that its ROMIO uses, as lines of a table of error_codes.c.
# usage: messages.sh MPICH-SOURCE

set -eu
romio=$1/src/mpi/romio
used=$(mktemp)
trap 'rm -f "$used"' EXIT

grep -rhoE '"\*\*[a-z0-9_]+[^"]*"' "$romio/mpi-io" "$romio/adio" --include='*.c' --include='*.h' | tr -d '"' | sort -u > "$used"
awk 'NR == FNR {used[$0] = 1; next}
    /^\*\*/ {
        colon = index($0, ":")
        key = substr($0, 1, colon - 1)
        text = substr($0, colon + 1)
        while (sub(/\\$/, "", text) && (getline more) > 0) # goes on
            text = text more
        gsub(/[\\"]/, "\\\\&", text)
        if (key in used && !(key in seen))
            printf "    {\"%s\", \"%s\"},\n", key, text
        seen[key] = 1
    }' "$used" "$1/src/mpi/errhan/errnames.txt"
