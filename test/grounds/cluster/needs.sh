# shellcheck shell=sh disable=SC2034,SC2154
# Sourced: whether this machine can have a cluster.

# try_kernel: prints the first thing that the kernel lacks
try_kernel()
{
    unshare --pid --fork --mount --net --uts sh -c '
        lacks() { echo "$1"; exit 1; }
        mount -t proc proc /proc || lacks "mounts in a namespace"
        ip link add name switch type bridge || lacks "network bridges"
        ip link add name port type veth peer name net0 || lacks "veth links"
        tc qdisc add dev port root tbf rate 100mbit burst 128kb latency 50ms || lacks tbf
    ' 2> /dev/null
}

# needs_met: otherwise says what is missing
needs_met()
{
    if [ "$(id -u)" -ne 0 ]; then
        echo "cluster: must be root" >&2
        return 1
    fi
    missing=''
    for need in ip:iproute2 tc:iproute2 nsenter:util-linux unshare:util-linux setpriv:util-linux \
        glusterfsd:glusterfs-client glusterfs:glusterfs-client; do
        command -v "${need%:*}" > /dev/null || missing="$missing ${need%:*} (package ${need#*:})"
    done
    [ -c /dev/fuse ] || missing="$missing /dev/fuse"
    if [ -n "$missing" ]; then
        echo "cluster: missing:$missing" >&2
        return 1
    fi
    if ! missing=$(try_kernel); then
        echo "cluster: the kernel lacks ${missing:-namespaces}" >&2
        return 1
    fi
}
