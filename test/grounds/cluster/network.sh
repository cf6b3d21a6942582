# shellcheck shell=sh disable=SC2034,SC2154
# Sourced inside the cluster's namespaces: hosts and links.
#
# Flat: front, nodes and servers are on one switch.  Psets: nodes are on the
# switch "compute", servers on "storage"; the first node of each pset is on both
# and forwards for the others.  With rack-rate each pset has a switch of its own, linked to
# "compute" at that rate.  The front, from which runs are started, is on
# all of them and is not shaped.

# host_pid HOST: of the process that keeps its namespaces
host_pid()
{
    cat "$dir/run/$1.pid"
}

# on HOST COMMAND...
on()
{
    _host=$1
    shift
    nsenter -t "$(host_pid "$_host")" -n -m -u -- "$@"
}

compute_address() { echo "10.201.1.$(($1 + 1))"; }
server_address() { echo "10.201.2.$(($1 + 1))"; }
bridge_address() { echo "10.201.2.$(($1 + 101))"; } # on the servers' side

# start_host NAME: a process that keeps a host's namespaces; its file is there
# once the host has its name
start_host()
{
    # shellcheck disable=SC2016
    unshare --net --mount --uts sh -c '
        hostname "$1" && mount -t sysfs sysfs /sys && ip link set lo up &&
        echo $$ > "$2.new" && mv "$2.new" "$2.pid" && exec sleep infinity
    ' sh "$1" "$dir/run/$1" < /dev/null > "$dir/log/$1" 2>&1 &
}

wait_for_hosts()
{
    for host in "$@"; do
        tries=100
        until [ -e "$dir/run/$host.pid" ]; do
            tries=$((tries - 1))
            [ $tries -gt 0 ] || { echo "$host: does not start"; return 1; }
            sleep 0.1
        done
    done
}

add_switch()
{
    ip link add name "$1" type bridge && ip link set "$1" up
}

# What waits longer than 50 ms is dropped, as in a switch; 128 kB are what tbf
# can hold of large segments without cutting them, and 3 ms at 400 mbit.
shaping='burst 128kb latency 50ms'

# link HOST DEVICE SWITCH ADDRESS/BITS [RATE]: RATE holds in both directions
link()
{
    port=$1-$2
    ip link add name "$port" type veth peer name "$2" netns "$(host_pid "$1")" || return 1
    ip link set "$port" master "$3" up || return 1
    on "$1" ip address add "$4" dev "$2" && on "$1" ip link set "$2" up || return 1
    [ -n "${5-}" ] || return 0
    # shellcheck disable=SC2086
    tc qdisc add dev "$port" root tbf rate "$5" $shaping &&
        on "$1" tc qdisc add dev "$2" root tbf rate "$5" $shaping
}

build_flat()
{
    add_switch compute && link front net0 compute 10.201.1.254/16 || return 1
    for i in $(numbers "$nodes"); do
        link "n$i" net0 compute "$(compute_address "$i")/16" "$node_rate" || return 1
    done
    for i in $(numbers "$servers"); do
        link "s$i" net0 compute "$(server_address "$i")/16" "$server_rate" || return 1
    done
}

# uplink SWITCH RATE: to the switch of all
uplink()
{
    ip link add name "$1-up" type veth peer name "$1-down" || return 1
    ip link set "$1-up" master "$1" up && ip link set "$1-down" master compute up || return 1
    # shellcheck disable=SC2086
    tc qdisc add dev "$1-up" root tbf rate "$2" $shaping &&
        tc qdisc add dev "$1-down" root tbf rate "$2" $shaping
}

# switch_of NODE
switch_of()
{
    if [ -n "$rack_rate" ]; then echo "rack$(($1 / (nodes / psets)))"; else echo compute; fi
}

build_racks()
{
    for i in $(numbers "$psets"); do
        add_switch "rack$i" && uplink "rack$i" "$rack_rate" || return 1
    done
}

build_psets()
{
    add_switch compute && add_switch storage || return 1
    [ -z "$rack_rate" ] || build_racks || return 1
    link front net0 compute 10.201.1.254/24 || return 1
    link front store0 storage 10.201.2.254/24 || return 1
    for i in $(numbers "$nodes"); do
        link "n$i" net0 "$(switch_of "$i")" "$(compute_address "$i")/24" "$node_rate" || return 1
        is_bridge "$i" || continue
        link "n$i" store0 storage "$(bridge_address "$i")/24" "$bridge_rate" || return 1
        on "n$i" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward' || return 1
    done
    for i in $(numbers "$servers"); do
        link "s$i" net0 storage "$(server_address "$i")/24" "$server_rate" || return 1
    done
    route_psets
}

route_psets()
{
    for i in $(numbers "$nodes"); do
        ! is_bridge "$i" || continue
        bridge=$(bridge_of "$i")
        on "n$i" ip route add 10.201.2.0/24 via "$(compute_address "$bridge")" || return 1
        for j in $(numbers "$servers"); do
            on "s$j" ip route add "$(compute_address "$i")" via "$(bridge_address "$bridge")" ||
                return 1
        done
    done
}

# names_of_hosts: the cluster's /etc/hosts
names_of_hosts()
{
    echo "127.0.0.1 localhost"
    echo "10.201.1.254 front"
    for i in $(numbers "$nodes"); do echo "$(compute_address "$i") n$i"; done
    for i in $(numbers "$servers"); do echo "$(server_address "$i") s$i"; done
}
