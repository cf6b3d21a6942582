#!/bin/sh
# From the list of names: slots.inc (for slots.S), slots.h (for host.c), functions.h (for
# functions.c), renames (for objcopy) and exports.map (for the linker), in the current folder; for
# Open MPI either.inc and either-names.h (for openmpi/either.S and files.c) and openmpi-renames.
# usage: slots.sh NAMES

set -eu
names=$(grep -v '^#' "$1")

for name in $names; do
    echo "SLOT(MPI_$name)"
    echo "SLOT(PMPI_$name)"
done > slots.inc

for name in $names; do
    printf '    "MPI_%s", "PMPI_%s",\n' "$name" "$name"
done > slots.h

# those that a variant does not have are NULL
for name in $names; do
    echo "extern void atp_$name(void) __attribute__((weak, visibility(\"hidden\")));"
done > functions.h.new
{
    echo 'static atp_function *const functions[] = {'
    for name in $names; do
        echo "    atp_$name,"
    done
    echo '};'
} >> functions.h.new
mv functions.h.new functions.h

# what ROMIO calls to complete requests is the MPI library's
for name in $names; do
    case $name in Test* | Wait* | Request_*) continue ;; esac
    printf 'MPI_%s atp_%s_\nPMPI_%s atp_%s\n' "$name" "$name" "$name" "$name"
done > renames
echo 'MPI_Alltoallv_c atp_Alltoallv_c' >> renames

# where Open MPI opens files itself: functions that take a file first go either way, and others are
# called by files.c, but for MPI_File_delete, which is ROMIO's; what the host takes less of, and what has to forget requests
either=$(echo "$names" | grep '^File_' | grep -vE '_errhandler$|^File_(c2f|close|delete|f2c|open)$')
for name in $either; do echo "EITHER($name)"; done > either.inc
for name in $either; do echo "    \"PMPI_$name\","; done > either-names.h
{
    sed -E '/_errhandler|_delete/!s/ atp_(File_.*|Register_datarep_?)$/ atp_romio_\1/' renames
    echo PMPI_Info_set atp_Info_set
    echo PMPI_Grequest_complete atp_Grequest_complete
} > openmpi-renames

{
    echo '{'
    echo '  global:'
    for name in $names Init Init_thread; do
        printf '    MPI_%s; PMPI_%s;\n' "$name" "$name"
    done
    echo '    MPII_Errhandler_set_cxx;'
    echo '  local: *;'
    echo '};'
} > exports.map
