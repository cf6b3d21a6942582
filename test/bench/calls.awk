# A line of "pattern --json": the seconds of its collective calls, a tab, and what the driver says.
{
    match($0, /"calls":\[[^]]*/)
    count = split(substr($0, RSTART + 9, RLENGTH - 9), call, ",")
    for (i = 1; i <= count; i++)
        sum += call[i]
    status = match($0, /"romio_autotune_status":"[^"]*/) ? substr($0, RSTART + 25, RLENGTH - 25) : "-"
    printf "%.6f\t%s\n", sum, status
}
