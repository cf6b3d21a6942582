# shellcheck shell=sh disable=SC2034,SC2154
# Sourced inside the cluster's namespaces: a GlusterFS volume without glusterd,
# from volume files of our own.

volume_port=24007

server_volfile()
{
    cat <<END
volume posix
  type storage/posix
  option directory $dir/bricks/s$1
end-volume
volume locks
  type features/locks
  subvolumes posix
end-volume
volume brick
  type performance/io-threads
  option thread-count 4
  subvolumes locks
end-volume
volume server
  type protocol/server
  option transport-type tcp
  option transport.address-family inet
  option transport.socket.listen-port $volume_port
  option auth.addr.brick.allow 10.201.*
  subvolumes brick
end-volume
END
}

# Files are cut into shards of the smallest size there is, which distribute
# spreads over the servers by the hash of what extra-hash-regex leaves of their
# names: the shard's number, not the file's identifier, which is random, so that
# every file is spread alike.  Nothing is cached.
client_volfile()
{
    subvolumes=''
    for i in $(numbers "$servers"); do
        subvolumes="$subvolumes s$i"
        cat <<END
volume s$i
  type protocol/client
  option transport-type tcp
  option transport.address-family inet
  option remote-host $(server_address "$i")
  option remote-port $volume_port
  option remote-subvolume brick
end-volume
END
    done
    cat <<END
volume distribute
  type cluster/distribute
  option extra-hash-regex "([.][0-9]+)\$"
  subvolumes$subvolumes
end-volume
volume shard
  type features/shard
  option shard-block-size 4MB
  subvolumes distribute
end-volume
END
}

# In memory, so that links are what limits; all servers share one file system,
# which may take half of the memory.
start_servers()
{
    mount -t tmpfs bricks "$dir/bricks" || return 1
    for i in $(numbers "$servers"); do
        mkdir "$dir/bricks/s$i" && server_volfile "$i" > "$dir/volfiles/s$i" || return 1
    done
    for host in $(server_names); do
        start_host "$host"
    done
}

serve()
{
    for host in $(server_names); do
        on "$host" glusterfsd -f "$dir/volfiles/$host" -l "$dir/log/$host.gluster" \
            -p "$dir/run/$host.gluster.pid" || return 1
    done
}

# connected HOST: how many servers its mount is connected to
connected()
{
    on "$1" sh -c "cat '$dir'/volume/.meta/graphs/active/s*/private" 2> /dev/null |
        grep -c '^connected = 1'
}

# A mount that does not yet see all servers would leave some out of new
# directories' layouts.
mount_volume()
{
    for host in "$@"; do
        on "$host" glusterfs -f "$dir/volfiles/client" --direct-io-mode=enable --fopen-keep-cache=off \
            --attribute-timeout=0 --entry-timeout=0 --negative-timeout=0 \
            -l "$dir/log/$host.gluster" -p "$dir/run/$host.gluster.pid" "$dir/volume" || return 1
        tries=100
        until [ "$(connected "$host")" -eq "$servers" ]; do
            tries=$((tries - 1))
            [ $tries -gt 0 ] || { echo "$host: servers cannot be reached"; return 1; }
            sleep 0.1
        done
    done
}
