#!/bin/sh
# The I/O test programs of ROMIO and MPICH, over each wrapped driver: each
# program has to do through autotune what it does with the wrapped driver used
# directly.  The ways:
#   direct  ROMIO_FSTYPE_FORCE names the wrapped driver
#   force   ROMIO_FSTYPE_FORCE=autotune:, the driver finds out what to wrap
#   name    the file is named autotune:/path (if the program takes a name)
#   nested  the file is named autotune:FS:/path
#   tuned-  one of the above, with decisions by a random profile
# AUTOTUNE_FULL=1: with 1, 2, 4 and 7 ranks, not only upstream's number; and in all ways,
# tuned or not, else without name, tuned-name and tuned-nested.
# With suite_library, which test/preload/suite.sh sets:
#   preload  the same as direct with that library preloaded; so are force and tuned-force
# With suite_lenient as well: the MPI library is another one or a newer one; programs that do not
# compile with it are left out, and what fails without us may fail.
# With suite_other: direct is another MPI-IO than ROMIO; programs have to be ok where they are with it.
# For work on one thing: SUITE_FS="ufs gpfs" and SUITE_ONLY=REGEX (of
# SET/PROGRAM) choose, SUITE_JOBS runs that many side by side.

. "$top_srcdir/test/lib.sh"

suite=$top_srcdir/test/driver/suite
build=${suite_build:-$top_builddir/test/driver/suite}
export suite_bin="$build/bin"
filesystems=${SUITE_FS:-ufs nfs gpfs lustre}
export suite_results="$build/results"
table=$build/table.txt
mpich=$(mpich_number)

# folder SET: where MPICH has the programs of SET
folder()
{
    case $1 in
        romio) echo "$MPICH_SOURCE/src/mpi/romio/test" ;;
        io) echo "$MPICH_SOURCE/test/mpi/io" ;;
        errors) echo "$MPICH_SOURCE/test/mpi/errors/io" ;;
    esac
}

# programs: the lines "SET PROGRAM RANKS" that are to be run: this version has them
programs()
{
    awk -v only="${SUITE_ONLY:-.}" \
        '/^[a-z]/ && $3 != "-" && $1 "/" $2 ~ only { print $1, $2, $3 }' "$suite/programs" |
        while read -r _set _program _ranks; do
            for _source in "$(folder "$_set")/$_program.c" "$(folder "$_set")/$_program.c.in"; do
                [ ! -e "$_source" ] || echo "$_set $_program $_ranks"
            done
        done
}

# runs: the lines "SET PROGRAM RANKS" with all numbers of ranks
runs()
{
    if [ "${AUTOTUNE_FULL:-0}" != 1 ]; then
        programs
    else
        programs | while read -r _set _program _ranks; do
            for _n in 1 2 4 7; do
                # its array is dealt to four ranks: with fewer each dies in its own way
                case $_program$_n in *darray_read[12]) continue ;; esac
                echo "$_set $_program $_n"
            done
        done
    fi
}

compile()
{
    MAKEFLAGS='' make -s ${suite_lenient:+-k} -j "${SUITE_JOBS:-2}" -f "$suite/programs.mk" \
        PROGRAMS="$(programs | awk '{ printf "%s/%s ", $1, $2 }')"
}

# all_listed: is every upstream program in the list, if only with a reason why
# it is not run?
all_listed()
{
    for _set in romio io errors; do
        for _file in "$(folder $_set)"/*.c "$(folder $_set)"/*.c.in; do
            [ -e "$_file" ] || continue
            _program=$(basename "${_file%.in}" .c)
            grep -q "^$_set $_program " "$suite/programs" || echo "$_file"
        done
    done > "$scratch/unlisted"
    cat "$scratch/unlisted"
    [ ! -s "$scratch/unlisted" ]
}

run_all()
{
    runs | while read -r _run; do
        for _fs in $filesystems; do echo "$_run $_fs"; done
    done | xargs -P "${SUITE_JOBS:-2}" -L 1 sh "$suite/run.sh"
}

# known PROGRAM FS RANKS: "RESULT REASON" of a known failure of this MPICH, or nothing
known()
{
    awk -v p="$1" -v fs="$2" -v n="$3" -v mpich="$mpich" '
        function number(version,    at) { split(version, at, "."); return at[1] * 10000000 + at[2] * 100000 }
        $1 == p && ($2 == fs || $2 == "*") && ($3 == n || $3 == "*") && number($4) <= mpich {
            $1 = $2 = $3 = $4 = ""; sub("^ *", ""); last = $0 }
        END { print last }' "$suite/known-failures"
}

# read_results FILE: cell = the results of all ways, of which there are $ways;
# direct = the first; same = whether all others (one at least) are equal to it
read_results()
{
    cell='' direct=missing same=no ways=0
    while read -r _way _result _; do
        cell=$cell/$_result ways=$((ways + 1))
        case $_way in
            direct) direct=$_result ;;
            force) if [ "$_result" = "$direct" ]; then same=yes; fi ;;
            *) if [ "$_result" != "$direct" ]; then same=no; fi ;;
        esac
    done < "$1"
    cell=${cell#/}
    cell=${cell:-missing}
}

# judge_other WHAT: where we need not do the same, but not less
judge_other()
{
    tally=ok
    if ! echo "${cell#*/}" | tr / '\n' | grep -qvx ok; then
        ok "$1: ok, without us $direct"
    elif [ "$direct" != ok ]; then
        tally=known-failure
        fails_as_known "$1: $cell" "not ok without us either"
    else
        tally=different
        not_ok "$1: direct $direct, all ways $cell" "$scratch/logs"
    fi
}

# logs FILE: what was said in the runs of FILE that did not go well
logs()
{
    while read -r _way _result _; do
        if [ "$_result" != ok ]; then
            echo "$_way: $_result"
            tail -n 12 "$1.$_way.log"
        fi
    done < "$1"
}

# judge PROGRAM RANKS FS: one test, one cell of the table, one line of tallies
judge()
{
    _file=$suite_results/$(echo "$1" | tr / .).$2.$3
    _what="$1 -n $2 $3"
    read_results "$_file" 2> /dev/null
    _known=$(known "$1" "$3" "$2")
    logs "$_file" > "$scratch/logs" 2> /dev/null
    if [ -n "${suite_lenient-}" ] && [ ! -x "$suite_bin/$1" ]; then
        tally=refused
        skip "$_what" "does not compile with this MPI library"
    elif [ -n "${suite_other-}" ] || { [ -n "${suite_lenient-}" ] && [ "$direct" != ok ]; }; then
        judge_other "$_what"
    elif [ $same = no ]; then
        tally=different
        not_ok "$_what: direct $direct, all ways $cell" "$scratch/logs"
    elif [ "$direct" = ok ] && [ -n "$_known" ]; then
        tally=passes-though-listed
        passes_though "$_what" "listed in known-failures"
    elif [ "$direct" = ok ]; then
        tally=ok
        ok "$_what"
    elif [ "$direct" = refused ]; then
        tally=refused
        skip "$_what" "refused, without us as well"
    elif [ "$direct" = "${_known%% *}" ]; then
        tally=known-failure
        fails_as_known "$_what: $direct" "${_known#* }"
    else
        tally=fails-directly
        not_ok "$_what: fails without autotune: $direct" "$scratch/logs"
    fi
    echo "$3 $tally $ways" >> "$scratch/tallies"
}

# judge_all: every result, and the table
judge_all()
{
    # shellcheck disable=SC2059,SC2086 # words
    printf "$row" program ranks $filesystems > "$table"
    runs > "$scratch/runs"
    while read -r _set _program _ranks; do
        cells=''
        for _fs in $filesystems; do
            judge "$_set/$_program" "$_ranks" "$_fs"
            case $tally in
                different | fails-directly) cell="$cell!" ;;
                known-failure | passes-though-listed) cell="$cell~" ;;
            esac
            cells="$cells $cell"
        done
        # shellcheck disable=SC2059,SC2086 # words
        printf "$row" "$_set/$_program" "$_ranks" $cells >> "$table"
    done < "$scratch/runs"
}

# totals: how many tests had each outcome, and the number of runs behind them
totals()
{
    for _tally in ok refused known-failure passes-though-listed different fails-directly runs; do
        cells=''
        for _fs in $filesystems; do
            cells="$cells $(awk -v fs="$_fs" -v tally="$_tally" \
                '$1 == fs { n += tally == "runs" ? $3 : tally == $2 } END { print n + 0 }' \
                "$scratch/tallies")"
        done
        # shellcheck disable=SC2059,SC2086 # words
        printf "$row" "$_tally" "" $cells
    done
}

row='%-28s %-5s'
for _fs in $filesystems; do row="$row  %-24s"; done
row="$row\n"

if ! rm -rf "$suite_results" || ! mkdir -p "$suite_results"; then
    not_ok "earlier results can be removed"
    done_testing
    exit
fi
if ! compile > "$scratch/compile.log" 2>&1 && [ -z "${suite_lenient-}" ]; then
    not_ok "the upstream programs compile" "$scratch/compile.log"
    done_testing
    exit
fi
check "every upstream program is listed" all_listed
check "every run was made" run_all
judge_all
{
    echo
    echo "Each cell: direct/force/name/nested/tuned (see suite.sh); ! is a failure, ~ is in known-failures"
    totals
} >> "$table"
sed 's/^/# /' "$table"
done_testing
