# A workload's report (--json) as a line of runs: workload, configuration,
# repetition, seconds (of the collective calls), open, close, bytes, calls, ranks, then the
# hints in effect: cb_nodes, cb_buffer_size, romio_cb_write or _read, status.
# verdict, if given, is in place of the status.

function value(key)
{
    if (!match($0, "\"" key "\": *(\"[^\"]*\"|[^,}\\]]*)"))
        return "-"
    text = substr($0, RSTART, RLENGTH)
    sub(/^"[^"]*": */, "", text)
    gsub(/"/, "", text)
    return text
}

# sets calls and seconds, of all of them
function add_calls(    parts, i)
{
    calls = seconds = 0
    if (!match($0, /"calls": *\[[^\]]*\]/))
        return
    text = substr($0, RSTART, RLENGTH)
    sub(/^[^\[]*\[/, "", text)
    calls = split(text, parts, ",")
    for (i = 1; i <= calls; i++)
        seconds += parts[i]
}

/"seconds"/ {
    add_calls()
    status = value("romio_autotune_status")
    if (verdict != "")
        status = verdict
    print workload "\t" configuration "\t" repetition "\t" sprintf("%.6f", seconds) "\t" value("open") "\t" \
        value("close") "\t" value("bytes") "\t" calls "\t" value("ranks") "\t" value("cb_nodes") "\t" \
        value("cb_buffer_size") "\t" \
        value(value("read") == "true" ? "romio_cb_read" : "romio_cb_write") "\t" status
    found = 1
}

END { exit !found }
