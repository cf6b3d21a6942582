# Lines of "pattern --json", one a file: the mean seconds of a file's collective calls, a tab, and
# what the driver says of the last.  -v from=N: the files before the N-th do not count.
NR >= from {
    match($0, /"calls":\[[^]]*/)
    count = split(substr($0, RSTART + 9, RLENGTH - 9), call, ",")
    for (i = 1; i <= count; i++)
        sum += call[i]
    files++
    status = match($0, /"romio_autotune_status":"[^"]*/) ? substr($0, RSTART + 25, RLENGTH - 25) : "-"
}
END { printf "%.6f\t%s\n", sum / files, status }
