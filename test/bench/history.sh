#!/bin/sh
# make bench-history: activities imported in a second, into SQLite and, where a server can be
# started, into PostgreSQL.
#     history.sh [SPOOLS [PAIRS]]        of two activities each
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/unit/history/postgresql.sh"

spools=${1:-10} pairs=${2:-100000}
autotune=$top_builddir/tools/autotune/autotune
cd "$scratch" || exit 99
mkdir spools
i=0
while [ $i -lt "$spools" ]; do
    "$top_builddir/test/unit/history/make_spool" "spools/$i.spool" $((i + 1)) "$pairs"
    i=$((i + 1))
done

# rate NAME ADDRESS
rate()
{
    _from=$(date +%s.%N)
    "$autotune" history import --db "$2" spools > said || exit 1
    echo "$_from $(date +%s.%N) $((2 * spools * pairs))" |
        awk -v name="$1" '{ printf "%-12s %.0f activities/s (%d in %.2f s)\n", name, $3 / ($2 - $1), $3, $2 - $1 }'
}
rate SQLite "$scratch/bench.db"
if postgresql_start; then
    rate PostgreSQL "$postgresql"
else
    echo "PostgreSQL: $postgresql_lacks"
fi
