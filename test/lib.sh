# Sourced by every test script: a scratch directory, MPI runs with a watchdog,
# file systems by name, and TAP output.  The environment comes from
# test/Makefile.mk (AM_TESTS_ENVIRONMENT), with absolute paths.

set -u

: "${MPIEXEC:?run this through make check}" "${top_srcdir:?}" "${top_builddir:?}"

test_name=$(basename "$0" .sh)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/autotune-$test_name.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM

# More ranks than cores must not spin; two ranks of one test may share a core.
export MPIR_CVAR_POLLS_BEFORE_YIELD=0
unset ROMIO_FSTYPE_FORCE ROMIO_HINTS ROMIO_PRINT_HINTS STANDIN
# whatever profile and advice are installed
export ROMIO_AUTOTUNE_PROFILE=built-in ROMIO_AUTOTUNE_ADVICE=built-in

# mpi N COMMAND...: run COMMAND on N ranks; a run longer than $watchdog seconds
# is ended and returns 124.
watchdog=120
mpi()
{
    _n=$1
    shift
    timeout -k 5 "$watchdog" "$MPIEXEC" -n "$_n" "$@" < /dev/null
}

# with_openmpi: what Open MPI needs here.  More processes than cores, also as root; what one run removes
# at its end is not another's, nor what a process of the last run removes late: a folder that is not
# empty stays.
with_openmpi()
{
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_btl=^tcp \
        OMPI_MCA_orte_tmpdir_base="$scratch"
    # the same from version 5 on
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_prte_tmpdir_base="$scratch"
    _node=$(uname -n)
    mkdir -p "$scratch/ompi.${_node%%.*}.$(id -u)/kept" "$scratch/prte.${_node%%.*}.$(id -u)/kept"
}
if [ "${host-}" = openmpi ]; then with_openmpi; fi # test/preload/host.sh

# over FS COMMAND...: run COMMAND, which may be a function of this file, with
# $scratch shown as FS: ufs (what it is), nfs, gpfs or lustre (stand-ins); and with the library
# $also_preload, if any.
also_preload=''
over()
{
    _fs=$1
    shift
    if [ "$_fs" != ufs ]; then
        export STANDIN="$_fs:$scratch" LD_PRELOAD="$top_builddir/test/grounds/standin/.libs/standin.so"
    fi
    if [ -n "$also_preload" ]; then export LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$also_preload"; fi
    "$@"
    set -- $?
    unset STANDIN LD_PRELOAD
    return "$1"
}

# mpich_number: the version of the MPICH that is tested, 40002300 for 4.0.2
mpich_number()
{
    sed -n 's/^#define MPICH_NUMVERSION *//p' "$MPICH_BUILD/src/include/mpi.h"
}

tap_count=0
tap_failed=0

# ok DESCRIPTION / not_ok DESCRIPTION [FILE-WITH-DETAILS]
ok()
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1"
}

not_ok()
{
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $1"
    if [ -n "${2-}" ]; then sed 's/^/#   /' "$2" | tail -n 40; fi
}

skip()
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# fails_as_known DESCRIPTION REASON: a failure that is not ours to mend; TODO is TAP's word for it
fails_as_known()
{
    tap_count=$((tap_count + 1))
    echo "not ok $tap_count - $1 # TODO $2"
}

# passes_though DESCRIPTION REASON: what is listed as a failure, and is none
passes_though()
{
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    echo "ok $tap_count - $1 # TODO $2"
}

# seeds N: how many cases drawn from seeds the checks that follow stand for
seeds()
{
    echo "# seeds: $1"
}

# check DESCRIPTION COMMAND...: one test, ok if COMMAND succeeds
check()
{
    _what=$1
    shift
    if "$@" > "$scratch/.check.log" 2>&1; then
        ok "$_what"
    else
        not_ok "$_what (exit $?)" "$scratch/.check.log"
    fi
}

# check_tap DESCRIPTION COMMAND...: run a test program that prints TAP and take over its lines; a
# crash, a hang, or another number of tests than its plan announces is a failure of its own.  A
# program of several groups prints a plan for each.
check_tap()
{
    _what=$1
    shift
    "$@" > "$scratch/.tap.log" 2>&1
    _rc=$? _failed=$tap_failed _count=$tap_count _plan=''
    echo "# program: $_what"
    while IFS= read -r _line; do
        case $_line in
            "ok "*" # SKIP "* | "not ok "*" # SKIP "*) skip "$_what" "${_line#* # SKIP }" ;; # cmocka before 1.1.7: not ok
            "ok "*) ok "$_what: ${_line#ok * - }" ;;
            "not ok "*) not_ok "$_what: ${_line#not ok * - }" ;;
            "1.."*)
                _line=${_line#1..}
                _plan=$((${_plan:-0} + ${_line%%[!0-9]*}))
                ;;
            *) echo "# $_line" ;;
        esac
    done < "$scratch/.tap.log"
    if [ "$_plan" != $((tap_count - _count)) ]; then
        not_ok "$_what: ended with $_rc after $((tap_count - _count)) tests of ${_plan:-an unknown number}" "$scratch/.tap.log"
    elif [ $_rc -ne 0 ] && [ $tap_failed -eq $_failed ]; then
        not_ok "$_what: ended with $_rc" "$scratch/.tap.log"
    fi
}

# check_mpi DESCRIPTION N PROGRAM...: the same for an MPI program on N ranks,
# of which rank 0 prints
check_mpi()
{
    _what=$1
    shift
    check_tap "$_what" mpi "$@"
}

# ends CODE TEXT COMMAND...: COMMAND ends with CODE and says TEXT; all that it says is kept in
# $scratch/said
ends()
{
    _code=$1 _text=$2
    shift 2
    "$@" > "$scratch/said" 2>&1
    set -- $?
    cat "$scratch/said"
    [ "$1" -eq "$_code" ] && grep -qF -e "$_text" "$scratch/said"
}

# done_testing: print the plan, as the last command of a script
done_testing()
{
    echo "1..$tap_count"
    [ $tap_failed -eq 0 ]
}
