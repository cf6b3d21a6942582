#!/bin/sh
# From the list of names: slots.inc (for slots.S), slots.h (for host.c), functions.h (for
# functions.c), renames (for objcopy) and exports.map (for the linker), in the current folder.
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
