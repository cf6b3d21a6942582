# Sourced: the shape "balanced" of study/cluster, a GlusterFS volume that four nodes mount; two ranks a node.
# shellcheck shell=sh disable=SC2034,SC2154 # used by those who source it, and set by them
spec='nodes:4 servers:4 node-rate:400mbit server-rate:200mbit ranks:2'
ground_about="small cluster: $spec, GlusterFS"
ground_job="8 ranks on 4 nodes, namespaces of one machine"
ground_kernels=kernels-cluster
ground_space=space-cluster.json
cluster=$here/../../test/grounds/cluster/cluster

# ground_profile OUT: of predictions, in OUT
ground_profile()
{
    cp "$here/../cluster/data/balanced/profile.json" "$1"
}

# ground_run BUILD MPIEXEC DIRECTORY KERNEL [OPTION...]; the cluster stays until ground_end
ground_run()
{
    _build=$1 _kernel=$4
    export MPIEXEC="$2" CLUSTER_DIR="$3/cluster"
    shift 4
    "$cluster" status > /dev/null 2>&1 || "$cluster" up "$spec" || return
    "$cluster" run env LD_PRELOAD="$_build/watch/.libs/libautotune-watch.so" \
        "$_build/study/workloads/$_kernel" "$@" "autotune:$CLUSTER_DIR/volume/file"
}

# ground_end DIRECTORY
ground_end()
{
    CLUSTER_DIR="$1/cluster" "$cluster" down
}
