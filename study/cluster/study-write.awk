# Facts, the table of workloads, the driver's records and runs as a document romio-autotune-sweep.
# Variables: shape, date, nodes, per_node, psets.

function quoted(text)
{
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}

function begin_ground()
{
    printf "{\"format\": \"romio-autotune-sweep\", \"version\": 1,\n"
    printf " \"ground\": {\"name\": %s, \"kind\": \"measured\",\n", quoted("cluster-" shape)
    printf "  \"title\": %s,\n", quoted("small cluster in namespaces of one machine: " fact["spec"])
    printf "  \"version\": \"1\", \"date\": %s,\n  \"facts\": {", quoted(date)
    for (i = 1; i <= facts; i++)
        printf "%s%s: %s", (i > 1 ? ", " : ""), quoted(fact_name[i]), quoted(fact[fact_name[i]])
    printf ", %s: %s}},\n \"instances\": [", quoted("bytes wrong in"), quoted((wrong == "" ? "none" : wrong))
}

# what a configuration's name says, or what its runs told
function numbers(w, c,    size)
{
    split(c, size, /[x:]/)
    if (c ~ /^[0-9]/)
        return sprintf("\"aggregators\": %d, \"buffer\": %d", size[1], size[2] * 1048576)
    return sprintf("\"aggregators\": %d, \"buffer\": %d", chosen_nodes[w], chosen_buffer[w])
}

# the configuration that ROMIO's default is: two-phase where ranks' accesses
# interleave, every rank for itself where not
function twin(w)
{
    return piece[w] == 0 ? "independent" : default_nodes[w] "x" default_buffer[w] / 1048576
}

function all_seconds(w, c)
{
    if (c == "default" && (w, twin(w)) in seconds)
        return seconds[w, c] ", " seconds[w, twin(w)]
    return seconds[w, c]
}

function configuration(w, c)
{
    if (c == twin(w))
        return
    printf "%s\n    {", separator
    separator = ","
    if (c == "independent") {
        chosen_nodes[w] = default_nodes[w]
        chosen_buffer[w] = default_buffer[w]
        printf "%s, \"collective\": false", numbers(w, c)
    } else if (c == "default") {
        chosen_nodes[w] = default_nodes[w]
        chosen_buffer[w] = default_buffer[w]
        printf "%s, \"default\": true%s", numbers(w, c), piece[w] == 0 ? ", \"collective\": false" : ""
    } else {
        printf "%s", numbers(w, c)
    }
    if (c ~ /:/)
        printf ", \"variant\": %s", quoted(substr(c, index(c, ":") + 1))
    printf ", \"seconds\": [%s]}", all_seconds(w, c)
}

function choice(w)
{
    if (!((w, "driver") in seconds))
        return
    chosen_nodes[w] = driver_nodes[w]
    chosen_buffer[w] = driver_buffer[w]
    printf ",\n   \"choice\": {%s, \"collective\": %s, \"status\": %s, \"seconds\": [%s]}",
        numbers(w, "driver"), collective(w), quoted(status[w]), seconds[w, "driver"]
}

# automatic (the default was kept): two-phase where ranks' accesses interleave
function collective(w)
{
    return driver_switch[w] == "disable" || (driver_switch[w] != "enable" && piece[w] == 0) ? \
        "false" : "true"
}

function instance(w,    i)
{
    printf "%s\n  {\"name\": %s, \"driver\": \"ufs\", \"nodes\": %d, \"per_node\": %d, \"psets\": %d, \"bridges\": %d,\n",
        instances++ ? "," : "", quoted(w), nodes, per_node, psets, psets
    printf "   \"access\": {\"write\": %s, \"bytes\": %d, \"strided\": %d, %s\"calls\": %d},\n   \"configurations\": [",
        direction[w] == "write" ? "true" : "false", bytes[w] / calls[w], piece[w],
        w in affinity ? "\"affinity\": " affinity[w] ", " : "", calls[w]
    separator = ""
    for (i = 1; i <= configurations[w]; i++)
        if (named[w, i] != "driver")
            configuration(w, named[w, i])
    printf "]"
    choice(w)
    printf "}"
}

BEGIN { FS = "\t" }

FILENAME == ARGV[1] {
    fact_name[++facts] = $1
    fact[$1] = $2
    next
}

FILENAME == ARGV[2] {
    split($0, word, " ")
    order[++workloads] = word[1]
    direction[word[1]] = word[2]
    piece[word[1]] = word[3]
    next
}

# of the first call, as the driver saw it
FILENAME == ARGV[3] {
    if (match($0, /"file": *"[^"]*"/)) {
        name = substr($0, RSTART, RLENGTH - 1)
        sub(/.*[\/"]/, "", name)
        if (!(name in affinity) && match($0, /"affinity": *[0-9.e-]+/))
            affinity[name] = substr($0, RSTART + 11, RLENGTH - 11) + 0
    }
    next
}

$2 == "checked" {
    if ($13 == "wrong")
        wrong = wrong (wrong == "" ? "" : ", ") $1
    next
}

{
    if (!(($1, $2) in seconds))
        named[$1, ++configurations[$1]] = $2
    seconds[$1, $2] = seconds[$1, $2] (seconds[$1, $2] == "" ? "" : ", ") $4
    bytes[$1] = $7 / $9
    calls[$1] = $8
}

$2 == "default" {
    default_nodes[$1] = $10
    default_buffer[$1] = $11
}

$2 == "driver" {
    driver_nodes[$1] = $10
    driver_buffer[$1] = $11
    driver_switch[$1] = $12
    status[$1] = $13
}

END {
    begin_ground()
    for (w = 1; w <= workloads; w++)
        if (configurations[order[w]] > 0)
            instance(order[w])
    printf "]}\n"
}
