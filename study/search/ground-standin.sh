# Sourced: the stand-in for Lustre of study/standin, whose calibration holds here too; a rank a node.
# shellcheck shell=sh disable=SC2034,SC2154 # used by those who source it, and set by them
ranks=4
nodes=4
osts=12
times=ost:20,node:40,latency:5000,lock:25000
layout=1:1048576
ground_about="timed stand-in for Lustre: STANDIN_TIME=$times STANDIN_OSTS=$osts STANDIN_LAYOUT=$layout"
ground_job="$ranks ranks on $nodes named nodes of one machine"
ground_kernels=kernels
ground_space=space.json

# ground_profile OUT: of predictions, in OUT
ground_profile()
{
    "$autotune" train "$here/../standin/data/lustre-timed/points.json" -o "$1"
}

# ground_run BUILD MPIEXEC DIRECTORY KERNEL [OPTION...]
ground_run()
{
    _build=$1 _mpiexec=$2 _tree=$3/lustre _kernel=$4
    shift 4
    _grounds=test/grounds/standin
    mkdir -p "$_tree"
    export STANDIN="lustre:$_tree" STANDIN_OSTS="$osts" STANDIN_TIME="$times" STANDIN_LAYOUT="$layout"
    "$_mpiexec" -n "$ranks" "$here/../../$_grounds/on-nodes" "$nodes" \
        env LD_PRELOAD="$_build/watch/.libs/libautotune-watch.so:$_build/$_grounds/.libs/standin.so" \
        "$_build/study/workloads/$_kernel" "$@" "autotune:$_tree/file"
}

# ground_end DIRECTORY
ground_end()
{
    :
}
