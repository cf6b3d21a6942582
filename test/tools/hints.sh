#!/bin/sh
# autotune hints: what it prints for each library, and what it refuses.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
record=$expected/records/version-2.json
cd "$scratch" || exit 99

hints() { "$autotune" hints --profile "$expected/profile.json" "$@"; }

# prints NAME ARGUMENT...: succeeds with the text in hints-NAME.expected, and nothing on stderr
prints()
{
    _name=$1
    shift
    hints "$@" > said 2> complaint || return 1
    cat complaint
    [ ! -s complaint ] && diff -u "$expected/hints-$_name.expected" said
}

# refuses CODE TEXT ARGUMENT...: ends with CODE, prints nothing, complains TEXT
refuses()
{
    _code=$1 _text=$2
    shift 2
    hints "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && [ ! -s said ] && grep -qF -e "autotune hints: $_text" complaint
}

# sets KEY...: the last output has lines of these keys and no other, in this order
sets()
{
    cat said
    [ "$(sed -n 's/^\([^#= ]*\) .*/\1/p' said | tr '\n' ' ')" = "$* " ]
}

check "--help" prints help --help

# --- a new file on Lustre, in every form
lustre()
{
    _form=$1
    shift
    prints "$_form" --nodes 64 --ranks-per-node 16 --bytes 8M --strided 1M --driver lustre \
        --mode enable --for "$_form" "$@"
}
check "for ROMIO" lustre romio
check "for Intel MPI" lustre intel
check "for Cray MPICH" lustre cray --pattern '*.nc'
# shellcheck disable=SC1091
shell_reads() { (. ./said && [ "${MPICH_MPIIO_HINTS%%:*}" = '*.nc' ]); }
check "which a shell can read" shell_reads
check "for Open MPI" lustre ompio

# --- what is heeded where
check "the default is kept" prints default --for romio \
    --topology "psets:16 nodes:32 bridges:2 ranks:16" --bytes 64M --driver gpfs --block 8M
gpfs() { hints --topology "psets:16 nodes:32 bridges:2 ranks:16" --bytes 64M --driver gpfs --block 8M --mode enable "$@" > said; }
gpfs --for romio
check "ROMIO on GPFS: no number of aggregators" sets romio_cb_write cb_buffer_size
check "and it says so" grep -q "^# ROMIO's GPFS driver ignores cb_nodes and cb_config_list: .* not the 2048 that" said
gpfs --for ompio
check "ompio on GPFS: a number" sets io io_ompio_num_aggregators io_ompio_bytes_per_agg

hints --nodes 16 --ranks-per-node 4 --bytes 16M --driver nfs --read --nics 2 \
    --fix cb_nodes=8 --fix romio_cb_read=enable --for romio > said
check "a read" sets romio_cb_read cb_nodes cb_buffer_size
check "on fewer hosts" grep -q "takes the first 1 of a host, host by host, on 8 of 16 hosts$" said

# --- records
check "from a record" prints record --record "$record" --for romio
fits() { [ "$(wc -c < said)" -le 4096 ]; }
check "which fits into what ROMIO reads" fits
cp said hints
check "a recorded read" sh -c "'$autotune' hints --record '$record' --read --for romio > said &&
    cat said && grep -q 'the default is kept: the saving is smaller than its standard deviation$' said"
cat "$record" "$expected/records/version-1.json" > two
check "of a file" prints record --record two --file /scratch/out/field.dat --for romio
sed -e 's/"wrapped":"ufs"/"wrapped":"lustre"/' -e 's/"stripe_count":1/"stripe_count":4/g' \
    -e 's/"stripe_size":0/"stripe_size":1048576/g' -e 's,/scratch/out/field.dat,/f\\ncb_nodes 99,' "$record" > lustre
hints --record lustre --for romio > said
check "striping that was chosen before" sets romio_cb_write cb_nodes cb_config_list striping_factor \
    striping_unit romio_lustre_co_ratio
sed 's/"new_file":true/"new_file":false/g' lustre > existing
hints --record existing --for romio > said
check "an existing file keeps its striping" sets romio_cb_write cb_nodes cb_config_list romio_lustre_co_ratio
check "a name with a newline stays a comment" grep -qxF '# as recorded for /f?cb_nodes 99' said

# --- ROMIO reads the file; of 2 ranks there can be no more than 2 aggregators

cat > open.c << 'END'
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    return MPI_Finalize();
}
END
"$MPICC" -o open open.c
ROMIO_HINTS=$scratch/hints ROMIO_PRINT_HINTS=1 mpi 2 ./open "ufs:$scratch/f" | tr -s ' ' > in_effect
for pair in "romio_cb_write enable" "cb_nodes 2" "cb_config_list *:4" "cb_buffer_size 4194304"; do
    check "ROMIO has ${pair% *}" grep -F -e "key = ${pair% *} value = ${pair#* }" in_effect
done

# --- what is wrong
check "no form" refuses 2 "--for is needed" --nodes 4
check "a form that is none" refuses 2 "--for mvapich: there is no such form" --nodes 4 --for mvapich
check "no job" refuses 2 "--nodes or --topology is needed" --for romio
check "a pattern for the wrong form" refuses 2 "--pattern is for cray only" --nodes 4 --for romio --pattern '*'
check "a pattern that ends too soon" refuses 2 "--pattern a:b: must be a pattern" --nodes 4 --for cray --pattern a:b
check "a file without records" refuses 2 "--file needs --record" --nodes 4 --for romio --file f
check "a job and a record" refuses 2 "--record is about jobs that have run" --nodes 4 --for romio --record "$record"
check "no such records" refuses 2 "none: cannot be opened" --for romio --record none
check "no record of a file" refuses 2 "$record: has no record of /other" --for romio --record "$record" --file /other
check "a record without decisions" refuses 2 "two: the last record has no decision" --for romio --record two
sed 's/"wrapped":"ufs"/"wrapped":"zfs"/' "$record" > unknown
check "a driver that is not known" refuses 2 "unknown: the last record is of a driver that is not known" \
    --for romio --record unknown
check "sizes that do not fit" refuses 1 "these sizes and hints are impossible together" \
    --for romio --nodes 4 --bytes 10M --strided 3M
done_testing
