# Sourced by scripts that want a PostgreSQL server of their own, below $scratch.

# postgresql_start: 0 and its address in $postgresql, or 1 and why not in $postgresql_lacks
postgresql=''
postgresql_lacks=''
postgresql_start()
{
    _bin=$(command -v initdb 2> /dev/null || find /usr/lib/postgresql/*/bin/initdb 2> /dev/null | tail -n 1)
    _bin=${_bin%/initdb}
    [ -n "$_bin" ] || { postgresql_lacks="there is no initdb"; return 1; }
    # the server does not run as root
    _as=''
    mkdir "$scratch/postgresql" && chmod 711 "$scratch" || return 1
    if [ "$(id -u)" -eq 0 ]; then
        id postgres > /dev/null 2>&1 || { postgresql_lacks="there is no user postgres"; return 1; }
        _as="setpriv --reuid postgres --regid postgres --clear-groups"
        chown postgres "$scratch/postgresql"
    fi
    postgresql_as=$_as postgresql_bin=$_bin
    # shellcheck disable=SC2086 # words
    (cd "$scratch/postgresql" && $_as "$_bin/initdb" -D data -A trust -N -U tester &&
        $_as "$_bin/pg_ctl" -D data -w -l log -o "-F -k $scratch/postgresql -c listen_addresses=''" start) \
        > "$scratch/postgresql.log" 2>&1 < /dev/null || { postgresql_lacks="no server starts"; return 1; }
    postgresql="postgresql://tester@/postgres?host=$scratch/postgresql"
    trap 'postgresql_stop; rm -rf "$scratch"' EXIT
}

postgresql_stop()
{
    # shellcheck disable=SC2086
    (cd "$scratch/postgresql" && $postgresql_as "$postgresql_bin/pg_ctl" -D data -m immediate stop) \
        > /dev/null 2>&1
}
