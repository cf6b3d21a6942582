#!/bin/sh
# From the list of names: slots.inc (for slots.S), slots.h (for host.c), renames (for objcopy)
# and exports.map (for the linker), in the current folder.
# usage: slots.sh NAMES

set -eu
names=$(grep -v '^#' "$1")

for name in $names; do
    echo "SLOT(MPI_$name)"
    echo "SLOT(PMPI_$name)"
done > slots.inc

for name in $names; do
    echo "extern void atp_$name(void) __attribute__((visibility(\"hidden\")));"
done > slots.h.new
{
    echo 'static const slot slots[] = {'
    for name in $names; do
        printf '    {"MPI_%s", atp_%s},\n    {"PMPI_%s", atp_%s},\n' "$name" "$name" "$name" "$name"
    done
    echo '};'
} >> slots.h.new
mv slots.h.new slots.h

for name in $names; do
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
