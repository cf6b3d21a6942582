# calls.list to C: a wrapper for each name, and the table of calls.
#
#   -v wrap=LAYER  only the wrappers of a layer (posix has stdio's), as "ld --wrap" wants them
#   -v wrap=table  only the table, and that of what is asked by name (real_static.c)
#   -v list=LAYER  no C, but what the linker is to be told
#   -v list=names  no C, but all names

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

# What is passed on: the names of the parameters.
function arguments(parameters,    parts, count, i, name, all) {
    count = split(parameters, parts, ",")
    for (i = 1; i <= count; i++) {
        name = trim(parts[i])
        sub(/^.*[^A-Za-z0-9_]/, "", name)
        all = all (i > 1 ? ", " : "") name
    }
    return all
}

# {a,b} in a name: each of them; NAME of words: each of these.
function expanded(name,    begins, ends, parts, some, count, many, i, k, all) {
    begins = index(name, "{")
    ends = index(name, "}")
    if (begins == 0) return name
    count = split(substr(name, begins + 1, ends - begins - 1), parts, ",")
    for (i = 1; i <= count; i++) {
        many = split(parts[i] in words ? words[parts[i]] : parts[i], some, " ")
        for (k = 1; k <= many; k++)
            all = all " " substr(name, 1, begins - 1) some[k] substr(name, ends + 1)
    }
    return all
}

# Into symbols; how many.
function names_of(text,    parts, count, i, all) {
    count = split(text, parts, / +/)
    for (i = 1; i <= count; i++) all = all " " expanded(parts[i])
    return split(trim(all), symbols, / +/)
}

function listed(name) {
    if (list == "names") print name
    else if (list == group) print "--wrap=" name
}

function counted(expression, name) {
    gsub(/COUNT/, name ~ /_c$/ ? "count" : "(int) count", expression)
    return expression
}

# How a call tells that it failed.
function error(    failed) {
    if (layer == "mpi") return "atw_mpi_error(result)"
    if (layer == "hdf5") return "result < 0 ? -1 : 0"
    if (layer ~ /netcdf/) return "result"
    if (type == "size_t") return "atw_stream_error(&call, stream, result < count)"
    failed = layer == "stdio" ? "result != 0" : "result < 0"
    if (type == "FILE *") failed = "result == NULL"
    if (type == "void *") failed = "result == MAP_FAILED"
    return failed " ? call.saved_errno : 0"
}

# Large counts and asynchronous calls are where the others are, or nowhere: nobody calls them then.
function head(name,    taken) {
    taken = "(" (variadic ? substr(parameters, 1, index(parameters, "...") + 2) : parameters) ")"
    print "#undef " name
    if (wrap != "") {
        print (name ~ /^(MPI|H5).*_(c|async)$/ ? "__attribute__((weak)) " : "") type " __real_" name taken ";"
        print type " __wrap_" name taken "\n{"
        print "    __typeof__(__real_" name ") *real = __real_" name ";"
        return
    }
    print "SEEN " type " " name taken "\n{"
    print "    static _Atomic(atw_function *) slot;"
    print "    __typeof__(" name ") *real = (__typeof__(" name ") *) atw_real(&slot, \"" name "\");"
}

function more() {
    if (parameters ~ /\.\.\. mode/)
        print "    mode_t mode = 0;\n    va_list list;\n\n    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {\n        va_start(list, flags);\n        mode = va_arg(list, mode_t);\n        va_end(list);\n    }"
    else if (variadic)
        print "    void *more;\n    va_list list;\n\n    va_start(list, command);\n    more = va_arg(list, void *);\n    va_end(list);"
}

function wrapper(name, id,    pass) {
    pass = "real(" arguments(parameters) ")"
    head(name)
    print "    atw_call call;\n    " type " result;"
    if (bytes == "status") print "    atw_own_status own;"
    if (lists != "") print "    atw_lists lists;\n\n    atw_lists_" lists ";"
    more()
    if (lists == "") print "    if (!atw_begin_" how "(&call, " id ", " file "))\n        return " pass ";"
    else print "    if (!atw_begin_" how "(&call, " id ", " file ")) {\n        result = " pass ";\n        atw_lists_end(&lists, result < 0);\n        return result;\n    }"
    if (bytes == "status") print "    status = atw_mpi_status(status, &own);"
    print "    result = " pass ";\n    atw_returned(&call);"
    print "    call.activity.error = " error() ";"
    if (offset == "position") offset = "atw_position(&call, fd, result)"
    if (offset != "-") print "    call.activity.offset = " offset ";"
    if (bytes == "status") bytes = "atw_mpi_bytes(status)"
    if (bytes != "-") print "    if (" (type == "size_t" ? "result > 0" : "call.activity.error == 0") ")\n        call.activity.bytes = (uint64_t) (" bytes ");"
    if (made != "-") print "    atw_made_" makes "(&call, " counted(made, name) ");"
    print "    atw_end(&call);"
    if (lists != "") print "    atw_lists_end(&lists, result < 0);"
    print "    return result;\n}\n"
}

# A call that completes requests of any kind: seen only while there are requests of files.
function completer(name, id,    pass, form) {
    pass = "real(" arguments(parameters) ")"
    head(name)
    print "    atw_completions some;\n    atw_own_status own;\n    int result;\n"
    print "    if (!atw_are_requests() || !atw_begin_requests(&some, " id ", " file "))\n        return " pass ";"
    form = bytes
    if (form == "-") form = "each atw_mpi_abi()->status_ignore"
    if (form == "one status") print "    status = atw_mpi_status(status, &own);"
    else print "    (void) own;"
    print "    result = " pass ";\n    atw_returned(&some.call);"
    print "    atw_end_" substr(form, 1, index(form, " ") - 1) "(&some, result, " substr(form, index(form, " ") + 1) ");"
    print "    return result;\n}\n"
}

# What is asked by name is linked, also if nobody else needs it.
function asks(names,    count, i) {
    count = names_of(names)
    for (i = 1; i <= count; i++) {
        if (symbols[i] ~ /^ompi_/) { # not every MPI library has them
            asked_variables = asked_variables " " symbols[i]
            continue
        }
        if (list == group) print "--undefined=" symbols[i]
        asked_functions = asked_functions " " symbols[i]
    }
}

function asked(names, kind,    count, parts, i, all) {
    count = split(trim(names), parts, / +/)
    for (i = 1; i <= count; i++) {
        print "extern " (kind == "function" ? "atw_function " parts[i] : "char " parts[i]) " __attribute__((weak));"
        all = all "    {\"" parts[i] "\", " (kind == "function" ? parts[i] ", NULL" : "NULL, &" parts[i]) "},\n"
    }
    return all
}

BEGIN {
    FS = ";"
    if (list == "") print "/* Made from calls.list by wrappers.awk. */\n"
    if (list == "") print "#include <errno.h>\n#include <fcntl.h>\n#include <stdarg.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <sys/mman.h>\n#include <sys/uio.h>\n#include <unistd.h>\n"
    if (list == "") print "#include \"begin.h\"\n#include \"lists.h\"\n#include \"mpi_abi.h\"\n\n#define SEEN __attribute__((visibility(\"default\")))\n"
}
/^#/ || /^[ \t]*$/ { next }
/^layer / {
    layer = trim(substr($0, 7))
    group = layer == "stdio" ? "posix" : layer
    if (list == layer) print "--undefined=atw_layer_" layer
    if (wrap == layer) print "char atw_layer_" layer ";\n"
    next
}
/^words / { name = $0; sub(/^words +/, "", name); sub(/ .*/, "", name); words[name] = trim(substr($0, 7 + length(name))); next }
/^also / { many = names_of(trim(substr($0, 6))); for (i = 1; i <= many; i++) listed(symbols[i]); next }
/^asks / { asks(trim(substr($0, 6))); next }
NF != 7 { print FILENAME ":" FNR ": " NF " fields instead of 7" > "/dev/stderr"; exit failed = 1 }
{
    names = trim($1); class = trim($2); file = trim($3); made = trim($4); offset = trim($5); bytes = trim($6)
    type = trim(substr($7, 1, index($7, "(") - 1))
    parameters = substr($7, index($7, "(") + 1)
    sub(/\)[ \t]*$/, "", parameters)
    variadic = parameters ~ /\.\.\./

    lists = file
    if (sub(/^.* with /, "", lists)) {
        sub(/ with .*/, "", file)
        sub(/ /, "(\\&lists, ", lists)
        lists = lists ")"
    } else lists = ""
    how = file; sub(/ .*/, "", how); sub(/^[^ ]* /, "", file)
    makes = made; sub(/ .*/, "", makes); sub(/^[^ ]* /, "", made)
    recorded = names
    if (sub(/.* = /, "", recorded)) sub(/ = .*/, "", names)
    else sub(/ .*/, "", recorded)
    recorded = trim(expanded(recorded))
    if (!(recorded in ids)) {
        ids[recorded] = count++
        flags = class ~ /\+starts/ ? "ATW_STARTS" : class ~ /\+completes/ ? "ATW_COMPLETES" : "0"
        sub(/\+.*/, "", class)
        kinds = kinds "    {\"" recorded "\", ATW_" toupper(layer) ", ATW_" toupper(class == "" ? "info" : class) ", " flags "},\n"
    }
    many = names_of(names)
    for (i = 1; i <= many; i++) {
        offset = trim($5); bytes = trim($6)
        if (list != "") listed(symbols[i])
        else if (wrap != "" && wrap != group) continue
        else if (how == "requests") completer(symbols[i], ids[recorded])
        else wrapper(symbols[i], ids[recorded])
    }
}
END {
    if (failed) exit 1
    if (list != "" || (wrap != "" && wrap != "table")) exit
    print "const atw_call_kind atw_calls[] = {\n" kinds "};\nconst unsigned atw_call_count = " count ";"
    if (wrap == "") exit
    print ""
    all = asked(asked_functions, "function") asked(asked_variables, "variable")
    print "const atw_asked atw_asked_names[] = {\n" all "    {NULL, NULL, NULL}};"
}
