# What strace saw of one thread (-ttt -y -s 0), as test/watch/dump prints what the spool has:
#     CALL PATH OFFSET BYTES ERROR
# Names are those of system calls, and "open" for all that open.  Where read and write were is what
# the calls before make of it; only in files that are appended to is the system asked, as the library
# does after each call: lseek(FD, 0, SEEK_CUR), which is no call of the program's.

BEGIN {
    count = split("ENOENT 2 EBADF 9 EAGAIN 11 EACCES 13 ENODEV 19 ENOTDIR 20 EISDIR 21 EINVAL 22", words, " ")
    for (i = 1; i < count; i += 2)
        number[words[i]] = words[i + 1]
}

function hex(text,    i, value)
{
    if (text !~ /^0x/)
        return text + 0
    for (i = 3; i <= length(text); i++)
        value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}

function tell(call, offset, bytes)
{
    print call, path, offset, (bytes > 0 ? bytes : 0), error
}

# plain CALL: at the position, which it moves on
function plain(call)
{
    if (appends[path] && call ~ /^write/) {
        waiting[path] = call
        moved[path] = result
        why[path] = error
        return
    }
    tell(call, at[path], result)
    if (result > 0)
        at[path] += result
}

# Both kinds of questions: whose they are is not seen.
function asked()
{
    at[path] = result
    if (!(path in waiting))
        return
    error = why[path]
    tell(waiting[path], at[path] - (moved[path] > 0 ? moved[path] : 0), moved[path])
    delete waiting[path]
}

function opened()
{
    match(text, /"[^"]*"/)
    path = substr(text, RSTART + 1, RLENGTH - 2)
    tell("open", -1, 0)
    if (result < 0)
        return
    at[path] = 0
    appends[path] = text ~ /O_APPEND/
}

!match($0, /\) += (-?[0-9]|0x)/) { next }
{
    text = substr($0, 1, RSTART - 1)
    rest = substr($0, RSTART)
    sub(/^\) += /, "", rest)
    split(rest, answer, " ")
    result = hex(answer[1])
    error = answer[1] != "-1" ? 0 : answer[2] in number ? number[answer[2]] : answer[2]
    sub(/^[0-9.]+ /, "", text)
    call = substr(text, 1, index(text, "(") - 1)
    text = substr(text, index(text, "(") + 1)
    count = split(text, argument, ", ")
    path = match(text, /<[^>]*>/) ? substr(text, RSTART + 1, RLENGTH - 2) : ""
}
call ~ /^(open|openat|creat)$/ { opened(); next }
call ~ /^(read|write|readv|writev)$/ { plain(call); next }
call ~ /^p(read|write)(64|v)$/ { sub(/64/, "", call); tell(call, argument[count], result); next }
call == "lseek" && argument[2] == 0 && argument[3] == "SEEK_CUR" { asked(); next }
call == "lseek" {
    tell(call, result, 0)
    if (result >= 0)
        at[path] = result
    next
}
call ~ /^(close|fsync|fdatasync)$/ { tell(call, -1, 0); next }
call == "ftruncate" { tell(call, argument[2], 0); next }
call == "fcntl" && text ~ /F_SETLK/ {
    match(text, /l_start=[0-9]+/)
    tell(call, substr(text, RSTART + 8, RLENGTH - 8), error == 0 ? 10 : 0)
    next
}
call == "mmap" && path != "" { tell(call, hex(argument[6]), error == 0 ? argument[2] : 0) }
