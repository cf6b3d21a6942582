# shellcheck shell=sh disable=SC2034,SC2154
# Sourced: configurations of the study, and how a run gets each.
#
# AxB: A aggregators, buffers of B MiB; bridges first.  AxB:uniform: the same, but
# every (ranks/A)-th rank.  AxB:stock: as ROMIO takes them, the first nodes.
# Placement is forced by cb_config_list, so that the library decides nothing.

buffers='1 4 16'

# placed A POLICY: the aggregators' nodes, with how many are on each, as
# cb_config_list; in the order of ranks, as ROMIO lists them
placed()
{
    "$build/tools/autotune/autotune" place --topology "$out/topology.json" --hosts "$(name_range 0 $((nodes - 1)))" \
        --ranks-per-node "$ranks_per_node" --aggregators "$1" --policy "$2" 2> /dev/null |
        awk 'NR > 2 {on[$3]++; if ($3 > last) last = $3}
             END {for (i = 0; i <= last; i++)
                      if (i in on) {printf "%sn%d:%d", separator, i, on[i]; separator = ","}
                  exit separator == ""}'
}

# Uniform placement meets the bridges where A is a multiple of the psets' number;
# there ROMIO's own differs.
other_placements()
{
    [ "$psets" -gt 0 ] || return 0
    for _a in $aggregators; do
        [ "$_a" -gt 1 ] && [ "$_a" -lt "$nodes" ] || continue
        case $((_a % psets)) in
            0) echo "${_a}x4:stock" ;;
            *) echo "${_a}x4:uniform" ;;
        esac
    done
}

configurations()
{
    echo default
    echo driver
    for _a in $aggregators; do
        for _b in $buffers; do
            echo "${_a}x$_b"
        done
    done
    echo independent
    other_placements
}

# hints_of CONFIGURATION: options of a workload
hints_of()
{
    _switch=romio_cb_$direction
    _variant=${1#*:} _size=${1%:*}
    case $1 in
        default) return 0 ;;
        driver)
            echo "--hint romio_autotune_profile=$out/profile.json" \
                "--hint romio_autotune_topology=$out/topology.json"
            return 0 ;;
        independent) echo "--hint $_switch=disable"; return 0 ;;
        *:stock) _list='*:1' ;;
        *:uniform) _list=$(placed "${_size%x*}" uniform) || return 1 ;;
        *) _list=$(placed "${_size%x*}" bridge-first) || return 1 ;;
    esac
    echo "--hint $_switch=enable --hint cb_nodes=${_size%x*}" \
        "--hint cb_buffer_size=$((${_size#*x} * 1048576)) --hint cb_config_list=$_list"
}
