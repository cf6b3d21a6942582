# A points file of invented times: awk -v ranks=8 -v nodes=1 -v started=TEXT
# [-v name=TEXT] [-v operations="allreduce exchange"] [-v seed=N] -f points.awk
# Every time is latency x ranks + bytes / bandwidth, with up to 5 % of noise.

# the same in every awk
function noise()
{
    state = (state * 16807) % 2147483647
    return 0.95 + 0.1 * state / 2147483647
}

function point(operation, senders, receivers, bytes, messages,    i, k, seconds, sum, visits, times)
{
    visits = ""
    sum = 0
    for (i = 0; i < 2; i++) {
        times = ""
        for (k = 0; k < 3; k++) {
            seconds = latency[operation] * (senders + receivers) + bytes * receivers / bandwidth[operation]
            seconds = sprintf("%.6e", seconds * noise()) + 0
            sum += seconds
            times = times (k ? ", " : "") sprintf("%.6e", seconds)
        }
        visits = visits (i ? ", " : "") "[" times "]"
    }
    printf "%s    {\"operation\": \"%s\", \"job\": 0,\n", count++ ? ",\n" : "", operation
    printf "     \"features\": {\"nodes\": %d, \"per_node\": %d, \"senders\": %d, \"receivers\": %d, ", nodes,
        (operation ~ /write|read/ ? receivers : senders) / nodes, senders, receivers
    printf "\"bytes\": %d, \"stripes\": 1, \"messages\": %d},\n", bytes, messages
    printf "     \"seconds\": %.9e, \"median\": %.9e, \"spread\": %.4f,\n", sum / 6, sum / 6, 0.02
    printf "     \"visits\": [%s], \"outliers\": [[], []],\n     \"time\": \"%s\", \"host\": \"n1\"}", visits, started
}

BEGIN {
    state = seed ? seed : 1
    if (name == "") name = "invented"
    if (operations == "") operations = "allreduce exchange write_full"
    latency["allreduce"] = 2e-6; bandwidth["allreduce"] = 2e9
    latency["exchange"] = 4e-6; bandwidth["exchange"] = 1e9
    latency["write_full"] = 2e-4; bandwidth["write_full"] = 4e8
    printf "{\"format\": \"romio-autotune-points\", \"version\": 1,\n"
    printf " \"machine\": {\"name\": \"%s\", \"date\": \"%s\", \"mpi\": \"MPICH 4.0.2\", ", name, started
    printf "\"file_system\": \"ext4 on /scratch\", \"nodes\": %d, \"cores\": 8, \"block\": 4096},\n", nodes
    printf " \"jobs\": [{\"ranks\": %d, \"nodes\": %d, \"hosts\": [\"n1\"], \"tool\": \"test\", \"started\": \"%s\"}],\n",
        ranks, nodes, started
    printf " \"points\": [\n"
    n = split(operations, list, " ")
    for (o = 1; o <= n; o++)
        for (r = 1; r <= ranks; r *= 2)
            for (bytes = 4; bytes <= 16777216; bytes *= 8)
                if (list[o] == "allreduce")
                    point(list[o], r, r, bytes, 1)
                else if (list[o] == "exchange")
                    point(list[o], ranks, r, bytes, ranks * r)
                else
                    point(list[o], ranks, r, bytes, 1)
    printf "\n ]}\n"
}
