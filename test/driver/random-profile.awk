# awk -v seed=N -f random-profile.awk: a profile in which the cost of every
# operation is a steep random function of its features, known to a tenth of a
# per cent, so that decisions are anybody's guess and are always taken.
# With -v count=M -v to=DIRECTORY: M of them, DIRECTORY/0.json and on.
# awk -v force=WHAT -f random-profile.awk: one that forces a decision:
#   many         as many aggregators as there are ranks
#   one          as few as possible
#   small, large the smallest or the largest collective buffer
#   independent  no two-phase I/O
#   change       many for accesses below 256 KiB, else one; opens expect 16 MiB

# Park and Miller's generator, the same with every awk.
function draw(below)
{
    state = state * 16807 % 2147483647
    return below * state / 2147483647
}

function list(count, low, high, i, text)
{
    for (i = 0; i < count; i++)
        text = text (i ? ", " : "") sprintf("%.3f", low + draw(high - low))
    return "[" text "]"
}

# Logarithms of four features, scaled to about 1, through 6 hidden units to the
# logarithm of a time between nanoseconds and seconds.
# Where each rank is on its own, slower: there is only one such candidate.
function random_cost(operation, i, text)
{
    text = "{ \"model\": \"mlp\", \"features\": [\"per_node\", \"senders\", \"receivers\", \"bytes\"],\n" \
        "      \"min\": [0.01, 1, 1, 1], \"max\": [1e6, 1e6, 1e6, 1e15], \"error\": 0.001,\n" \
        "      \"pipeline\": { \"box_cox\": [0, 0, 0, 0], \"scale\": [1, 1, 1, 8], \"target\": \"log\" },\n" \
        "      \"parameters\": { \"activation\": \"tanh\", \"layers\": [{ \"weights\": ["
    for (i = 0; i < 4; i++)
        text = text (i ? ", " : "") list(6, -4, 4)
    text = text "],\n        \"biases\": " list(6, -8, 8) " }, { \"weights\": ["
    for (i = 0; i < 6; i++)
        text = text (i ? ", " : "") list(1, -5, 5)
    return text "], \"biases\": " (operation ~ /independent/ ? list(1, -9, 3) : list(1, -14, -6)) " }] } }"
}

function constant(seconds)
{
    return "{ \"model\": \"const\", \"features\": [\"bytes\"], \"min\": [1], \"max\": [1e15],\n" \
        "      \"error\": 0.001, \"parameters\": { \"output\": " seconds " } }"
}

# seconds = exp(a + b log receivers + c log bytes + d log receivers log bytes)
function power(a, b, c, d)
{
    return "{ \"model\": \"linear\", \"features\": [\"receivers\", \"bytes\"], \"min\": [1, 1],\n" \
        "      \"max\": [1e6, 1e15], \"error\": 0.001,\n" \
        "      \"pipeline\": { \"box_cox\": [0, 0], \"target\": \"log\" }, \"parameters\": { \"intercept\": " a ",\n" \
        "        \"coefficients\": [" b ", " c "], \"products\": [[0, 1, " d "]] } }"
}

function forced_cost(operation)
{
    if (operation !~ /_/)
        return constant(1e-9)
    if (operation ~ /independent/)
        return constant(force == "independent" ? 1e-8 : 1e6)
    if (force == "many")
        return power(0, -4, 0, 0)
    if (force == "one")
        return power(-10, 4, 0, 0)
    if (force == "small")
        return power(-40, 0, 3, 0)
    if (force == "large")
        return power(0, 0, -1, 0)
    if (force == "change") # 12.5 = log 256 KiB
        return power(-10, -25, 0, 2)
    return constant(1)
}

function write_profile(seed, file, i)
{
    state = seed % 2147483646 + 1
    for (i = 0; i < 10; i++)
        draw(1)
    printf "{ \"format\": \"romio-autotune-profile\", \"version\": 1,\n" > file
    printf "  \"machine\": { \"name\": \"%s\", \"block\": 4096 },\n", force ? force : "random " seed > file
    printf "  \"defaults\": { \"access_size\": 16777216, \"memory\": 268435456 },\n" > file
    printf "  \"operations\": {\n" > file
    for (i = 1; i <= operations; i++)
        printf "    \"%s\": %s%s\n", operation[i],
            force ? forced_cost(operation[i]) : random_cost(operation[i]),
            i < operations ? "," : " } }" > file
    close(file)
}

BEGIN {
    operations = split("allreduce allgather alltoall exchange bcast " \
        "write_first write_full write_partial read_first read_full read_partial " \
        "write_independent read_independent", operation, " ")
    if (!count)
        write_profile(seed, "/dev/stdout")
    for (n = 0; n < count; n++)
        write_profile(seed + n, to "/" n ".json")
}
