# shellcheck shell=sh disable=SC2034,SC2154
# Sourced: SPEC, and what follows from it.

max_nodes=100 # addresses in network.sh are laid out for these
max_servers=100

spec_error()
{
    echo "cluster: SPEC: $*" >&2
    return 1
}

is_count()
{
    case $1 in
        '' | 0* | *[!0-9]* | ?????*) return 1 ;;
    esac
}

is_rate()
{
    case ${1%[kmg]bit} in
        "$1") return 1 ;;
        *) is_count "${1%[kmg]bit}" ;;
    esac
}

# spec_parse TEXT: sets nodes, servers, psets (0: flat), ranks_per_node,
# node_rate, rack_rate, bridge_rate and server_rate (empty: not shaped)
spec_parse()
{
    nodes='' servers='' psets=0 ranks_per_node=1 node_rate='' bridge_rate='' server_rate=''
    rack_rate=''
    for word in $1; do
        value=${word#*:}
        case $word in
            nodes:* | servers:* | psets:* | ranks:*)
                is_count "$value" || spec_error "$word: not a number" || return 1 ;;
            *-rate:*)
                is_rate "$value" || spec_error "$word: not a rate such as 400mbit" || return 1 ;;
        esac
        case $word in
            nodes:*) nodes=$value ;;
            servers:*) servers=$value ;;
            psets:*) psets=$value ;;
            ranks:*) ranks_per_node=$value ;;
            node-rate:*) node_rate=$value ;;
            rack-rate:*) rack_rate=$value ;;
            bridge-rate:*) bridge_rate=$value ;;
            server-rate:*) server_rate=$value ;;
            *) spec_error "$word: unknown"; return 1 ;;
        esac
    done
    spec_agrees
}

spec_agrees()
{
    [ -n "$nodes" ] || spec_error "nodes is missing" || return 1
    [ -n "$servers" ] || spec_error "servers is missing" || return 1
    [ "$nodes" -le $max_nodes ] || spec_error "more than $max_nodes nodes" || return 1
    [ "$servers" -le $max_servers ] || spec_error "more than $max_servers servers" || return 1
    if [ "$psets" -eq 0 ]; then
        [ -z "$bridge_rate" ] || spec_error "bridge-rate without psets" || return 1
        [ -z "$rack_rate" ] || spec_error "rack-rate without psets"
    else
        [ $((nodes % psets)) -eq 0 ] || spec_error "$nodes nodes cannot be $psets equal psets"
    fi
}

# numbers N: 0 to N - 1
numbers()
{
    seq 0 $(($1 - 1))
}

# bridge_of NODE: the node through which it reaches the servers, by number
bridge_of()
{
    echo $(($1 - $1 % (nodes / psets)))
}

is_bridge()
{
    [ "$psets" -gt 0 ] && [ "$(bridge_of "$1")" -eq "$1" ]
}

# name_range FIRST LAST: nodes as a list in the topology file's notation
name_range()
{
    if [ "$1" -eq "$2" ]; then echo "n$1"; else echo "n[$1-$2]"; fi
}

# topology: the document of that name for this cluster
topology()
{
    printf '{"format": "romio-autotune-topology", "version": 1, "ranks_per_node": %d, "nics": 1,\n "psets": [' \
        "$ranks_per_node"
    if [ "$psets" -eq 0 ]; then
        printf '{"nodes": [{"name": "%s"}]}' "$(name_range 0 $((nodes - 1)))"
    else
        size=$((nodes / psets)) separator=''
        for pset in $(numbers "$psets"); do
            first=$((pset * size))
            printf '%s{"nodes": [{"name": "n%d", "bridge": true}' "$separator" $first
            [ $size -eq 1 ] || printf ', {"name": "%s", "hops": 1}' \
                "$(name_range $((first + 1)) $((first + size - 1)))"
            printf ']}'
            separator=',
           '
        done
    fi
    printf ']}\n'
}
