# Finds the mirror of Debian itself in files of package sources, in either of apt's forms.
# awk -v suite=CODENAME -f mirror.awk FILE...: the address, or exit 1.  Other archives have
# other suites (CODENAME-security, ...) or other components than main.

function is_debian(suites, components, i, n, words)
{
    if (components !~ /(^|[ \t])main([ \t]|$)/)
        return 0
    n = split(suites, words)
    for (i = 1; i <= n; i++)
        if (words[i] == suite || words[i] ~ /^(oldstable|stable|testing|unstable|sid)$/)
            return 1
    return 0
}

function found(address)
{
    if (!address_found)
        address_found = address
}

function end_stanza(words)
{
    if (field["types"] ~ /(^|[ \t])deb([ \t]|$)/ && field["enabled"] !~ /no/ &&
        is_debian(field["suites"], field["components"])) {
        split(field["uris"], words)
        found(words[1])
    }
    split("", field)
}

FNR == 1 || /^[ \t]*$/ { end_stanza() }
/^[ \t]*#/ { next }
/^[ \t]*deb[ \t]/ {
    sub(/^[ \t]*deb[ \t]+/, "")
    sub(/^\[[^]]*\][ \t]*/, "")
    address = $1
    its_suite = $2
    $1 = $2 = ""
    if (is_debian(its_suite, $0))
        found(address)
    next
}
/^[A-Za-z-]+:/ {
    key = tolower(substr($1, 1, length($1) - 1))
    sub(/^[^:]*:[ \t]*/, "")
    field[key] = $0
}
END {
    end_stanza()
    if (!address_found)
        exit 1
    print address_found
}
