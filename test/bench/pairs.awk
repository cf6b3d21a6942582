# Lines of NAME, seconds, status, seconds of the other, its status: a line for each NAME, with the
# median speed-up of the other; their geometric mean.  -v one=, other=: headings.  Exit code: 0 none
# is more than 2 % slower, 1 one is.

function median(values, count,   i, k, kept)
{
    for (i = 2; i <= count; i++)
        for (k = i; k > 1 && values[k - 1] > values[k]; k--) {
            kept = values[k]
            values[k] = values[k - 1]
            values[k - 1] = kept
        }
    return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
}

function tell()
{
    speed_up = median(ratios, count)
    printf "%-32s %8.3f s %8.3f s   x%.2f (x%.2f to x%.2f)   %s\n", name, median(theirs, count),
        median(ours, count), speed_up, ratios[1], ratios[count], status
    logs += log(speed_up)
    workloads++
    slower += speed_up < 1 / 1.02
}

BEGIN { printf "%-32s %10s %10s   %s\n", "", one, other, "speed-up (range of pairs)" }
NR > 1 && $1 != name { tell(); count = 0 }
{ name = $1; theirs[++count] = $2; ours[count] = $4; ratios[count] = $2 / $4; status = $5 }
END { tell(); printf "geometric mean: x%.2f\n", exp(logs / workloads); exit slower > 0 }
