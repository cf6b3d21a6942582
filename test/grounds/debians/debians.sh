#!/bin/sh
# Other releases of Debian: the command line of the script that makes roots of them and, with
# AUTOTUNE_FULL=1, what it does in them.
. "${top_srcdir:?}/test/lib.sh"

here=$top_srcdir/test/grounds/debians
debians=$here/debians

# --- command line

check "help" ends 0 "usage: debians" "$debians" --help
check "an unknown option" ends 2 "unknown option --nonsense" "$debians" --nonsense
check "an unknown release" ends 2 "--release woody: not bookworm, trixie or sid" "$debians" --release woody
check "unknown work" ends 2 "--only all: not build, check or preload" "$debians" --only all
check "an option without its value" ends 2 "--keep needs a value" "$debians" --keep
check "work that a release is not for" ends 2 "--only build: not for sid, but preload" \
    "$debians" --only build --release sid
check "an archive that is not there" ends 2 "none.tar.xz: no such file" \
    "$debians" --mpich-tarball "$scratch/none.tar.xz"
if [ "$(id -u)" -eq 0 ]; then
    # the scratch directory is root's own, and so may be this tree
    mkdir "$scratch/tree" && cp -R "$top_srcdir/tools" "$scratch/tree/" &&
        mkdir -p "$scratch/tree/test/grounds" && cp -R "$here" "$scratch/tree/test/grounds/"
    chmod -R a+rX "$scratch"
    check "not as somebody else" ends 77 "must be root" \
        setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/tree/test/grounds/debians/debians"
    mkdir "$scratch/bin" && for tool in sh dirname id cat; do ln -s "$(command -v $tool)" "$scratch/bin/"; done
    check "not without debootstrap" ends 77 "there is no debootstrap" env PATH="$scratch/bin" "$debians"
else
    check "not as somebody else" ends 77 "must be root" "$debians"
fi

# --- where packages come from

# mirror FILE...
mirror()
{
    awk -v suite=bookworm -f "$here/mirror.awk" "$@"
}
cat > "$scratch/other.list" <<'END'
# deb http://commented.example/debian bookworm main
deb http://security.example/debian-security bookworm-security main
deb [arch=amd64] https://tool.example/debian bookworm stable
END
cat > "$scratch/debian.list" <<'END'
deb-src http://source.example/debian bookworm main
deb [arch=amd64 signed-by=/k.gpg] http://one.example/debian bookworm main contrib
END
cat > "$scratch/debian.sources" <<'END'
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
Enabled: no

# a comment
Types: deb deb-src
URIs: http://two.example/debian http://three.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /k.gpg

Types: deb
URIs: http://security.example/debian-security
Suites: bookworm-security
Components: main
END
check "of one line" ends 0 http://one.example/debian mirror "$scratch/other.list" "$scratch/debian.list"
check "of several lines" ends 0 http://two.example/debian mirror "$scratch/other.list" "$scratch/debian.sources"
check "the first" ends 0 http://two.example/debian mirror "$scratch/debian.sources" "$scratch/debian.list"
check "and only that" test "$(wc -l < "$scratch/said")" -eq 1
none_found()
{
    ! mirror "$scratch/other.list"
}
check "none" none_found

# --- roots

# work RELEASE WHAT
work()
{
    "$debians" --build "$top_builddir" --keep "$top_builddir/debians" --release "$1" --only "$2" \
        > "$scratch/said" 2>&1
    case $? in
        0) ok "$1: $2: $(tail -n 1 "$scratch/said")" ;;
        77) skip "$1: $2" "$(tail -n 1 "$scratch/said")" ;;
        *) not_ok "$1: $2: $(tail -n 1 "$scratch/said")" "$scratch/said" ;;
    esac
}
if [ -n "${AUTOTUNE_FULL-}" ]; then
    for release in bookworm trixie; do
        work $release build
        work $release check
    done
    work trixie preload
    work sid preload
    # logs stay, roots do not
    for release in bookworm trixie sid; do rm -rf --one-file-system "$top_builddir/debians/$release"; done
fi
done_testing
