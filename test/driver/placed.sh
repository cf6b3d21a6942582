#!/bin/sh
# Placement by a topology file, and by the names of nodes where that file is of no
# use.
. "${top_srcdir:?}/test/lib.sh"

export ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_PROFILE="$scratch/many.json"
export ROMIO_AUTOTUNE_TOPOLOGY="$scratch/topology.json"
awk -v force=many -f "$top_srcdir/test/driver/random-profile.awk" > "$scratch/many.json"

# topology PREFIX: 4 psets of 4 nodes, of which 2 are bridges
topology()
{
    echo '{"format": "romio-autotune-topology", "version": 1, "psets": ['
    for _pset in 0 1 2 3; do
        echo "{\"nodes\": [{\"name\": \"${1}p${_pset}c[0-1]\"}, {\"name\": \"${1}p${_pset}b[0-1]\", \"bridge\": true}]}"
        [ $_pset = 3 ] || echo ,
    done
    echo ']}'
}

# placed DESCRIPTION file|names NODES [FS]
placed()
{
    PLACED=$2 PLACED_NODES=$3
    export PLACED PLACED_NODES
    over "${4-ufs}" check_mpi "$1" 16 "$top_builddir/test/driver/placed" "$scratch" "${4-ufs}"
}

bridges="p0b0 p0b1 p1b0 p1b1 p2b0 p2b1 p3b0 p3b1"
mixed="p0c0 p0b1 p1b0 p1c1 p2c0 p2b0 p3b1 p3c1"
topology "" > "$scratch/topology.json"
placed "8 nodes, all bridges" file "$bridges"
placed "8 nodes, half of them bridges" file "$mixed"
placed "8 nodes, half of them bridges, gpfs" file "$mixed" gpfs
# of a file with fewer stripes not all ranks can be writers
STANDIN_LAYOUT=4:65536
export STANDIN_LAYOUT
placed "8 nodes, half of them bridges, lustre" file "$mixed" lustre
placed "4 nodes of 2 psets" file "p1c0 p1b0 p3c1 p3b0"

topology other- > "$scratch/topology.json"
placed "a file of other hosts" names "$mixed"
topology "" | head -c 300 > "$scratch/topology.json"
placed "a file that ends early" names "$mixed"
echo '{"format": "romio-autotune-profile", "version": 1}' > "$scratch/topology.json"
placed "a file of another kind" names "$mixed"
topology "" | sed 's/"version": 1/"version": 99/' > "$scratch/topology.json"
placed "a file of a newer version" names "$mixed"
rm "$scratch/topology.json"
placed "no file" names "$mixed"
done_testing
