# Rows of replay and tpe as tables: medians over seeds.  -v runs=N: of the searches with few.

function add(key, value) { values[key, ++count[key]] = value }

# sorts what was added to a key, once
function sorted(key,    i, k, v)
{
    for (i = 2; i <= count[key]; i++) {
        v = values[key, i]
        for (k = i - 1; k >= 1 && values[key, k] > v; k--)
            values[key, k + 1] = values[key, k]
        values[key, k + 1] = v
    }
}

function median(key,    n, upper)
{
    n = count[key]
    upper = values[key, int(n / 2) + 1]
    return upper >= never ? never : (values[key, int((n + 1) / 2)] + upper) / 2
}

function as_runs(value) { return value >= never ? "never" : value + 0 }
function as_ratio(value) { return value >= never ? "none" : sprintf("%.3f", value) }

# how many times as many runs one needs as the other
function factor(one, other)
{
    if (!(one in count) || median(one) >= never || median(other) >= never)
        return "-"
    return sprintf("%.1f", median(one) / median(other))
}

BEGIN { FS = "\t"; never = 1e9 }

$1 == "landscape" { next }
NF != 8 { print "table.awk: line " NR " has " NF " fields" > "/dev/stderr"; bad = 1; exit 1 }

{
    row = $1 FS $2
    if (!(row in seen)) {
        seen[row] = 1
        order[++rows] = row
    }
    add(row FS "near", $4 == "-" ? never : $4 + 0)
    add(row FS "few", $6 == "inf" ? never : $6 + 0)
    add(row FS "made", $7 + 0)
    add(row FS "usual", $8 == "inf" ? never : $8 + 0)
}

END {
    if (bad)
        exit 1
    print "| landscape | strategy | runs to come within 5 %: median | least | most | genetic's / its | found after " runs \
        " runs: median | worst | usual runs | found: median | worst |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= rows; i++)
        for (k = 1; k <= 4; k++)
            sorted(order[i] FS (k == 1 ? "near" : k == 2 ? "few" : k == 3 ? "made" : "usual"))
    for (i = 1; i <= rows; i++) {
        split(order[i], name, FS)
        near = order[i] FS "near"
        few = order[i] FS "few"
        usual = order[i] FS "usual"
        genetic = name[1] FS "genetic" FS "near"
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %g | %s | %s |\n", name[1], name[2], as_runs(median(near)),
            as_runs(values[near, 1]), as_runs(values[near, count[near]]),
            factor(genetic, near), as_ratio(median(few)), as_ratio(values[few, count[few]]), median(order[i] FS "made"),
            as_ratio(median(usual)), as_ratio(values[usual, count[usual]])
    }
}
