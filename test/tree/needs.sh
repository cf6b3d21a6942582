#!/bin/sh
# Machines that lack packages: quickstart names them in the words of the system's own package
# manager, and installs nothing unless it is root and that is apt.
. "${top_srcdir:?}/test/lib.sh"

# what quickstart reads before it builds anything
copy=$scratch/copy
mkdir -p "$copy/tools"
cp "$top_srcdir/quickstart" "$copy/"
cp -R "$top_srcdir/tools/mpich" "$top_srcdir/tools/setup" "$copy/tools/"
chmod -R a+rX "$scratch"

# machine NAME [MANAGER]: a folder for PATH with next to nothing, and a package manager that
# tells when it is called
machine()
{
    mkdir "$scratch/$1"
    for _tool in dirname nproc id uname grep; do
        ln -s "$(command -v $_tool)" "$scratch/$1/$_tool"
    done
    if [ -n "${2-}" ]; then
        printf '#!/bin/sh\n: > "%s/called"\n' "$scratch" > "$scratch/$1/$2"
        chmod +x "$scratch/$1/$2"
    fi
}

on()
{
    _machine=$1
    shift
    env PATH="$scratch/$_machine" CC=gcc "$copy/quickstart" "$@"
}

machine rocky dnf
machine leap zypper
machine other
check "dnf's names" ends 1 "as root: dnf install gcc glibc-devel make patch" on rocky
check "dnf's names of libraries" grep -q ' json-c-devel gsl-devel libsvm-devel ' "$scratch/said"
check "dnf's further repositories" grep -q 'EPEL' "$scratch/said"
check "MPICH's source must be named" grep -q 'name its archive with --mpich-tarball FILE' "$scratch/said"
named()
{
    ! on rocky --mpich-tarball mpich.tar.gz > "$scratch/said" 2>&1 && ! grep tarball "$scratch/said"
}
check "unless it is" named
check "zypper's names" ends 1 "as root: zypper install gcc glibc-devel make patch" on leap
check "zypper's names of libraries" grep -q ' libjson-c-devel gsl-devel libsvm-devel ' "$scratch/said"
check "another system" ends 1 "(Debian's names): gcc libc6-dev make patch" on other
check "what only tests need, for tests" ends 1 " strace " on rocky --check
check "no package manager was called" test ! -e "$scratch/called"
check "nothing was made" test ! -e "$copy/build"

fetch_without_apt()
{
    env PATH="$scratch/rocky:$scratch/fetching" "$copy/tools/mpich/fetch" 4.0.2 "$scratch/mpich.tar.xz"
}
mkdir "$scratch/fetching"
ln -s "$(command -v cut)" "$(command -v awk)" "$(command -v sed)" "$scratch/fetching/"
mkdir "$copy/patches"
cp -R "$top_srcdir/patches/mpich-4.0" "$copy/patches/"
check "fetching without apt-get" ends 1 "name an archive of version 4.0.2" fetch_without_apt

# As somebody who may not install packages, on Debian without one of them.
without_package()
{
    unshare --mount sh -c 'mount -t tmpfs none /usr/include/libsvm &&
        exec setpriv --reuid 65534 --regid 65534 --clear-groups "$0"' "$copy/quickstart"
}
if [ -d /usr/include/libsvm ] && command -v apt-get > /dev/null &&
    unshare --mount mount -t tmpfs none /usr/include/libsvm 2> /dev/null; then
    check "apt's names" ends 1 "as root: apt-get install libsvm-dev" without_package
else
    skip "apt's names" "needs root and Debian"
fi

# --- the table

missing=$top_srcdir/tools/setup/missing
usage()
{
    "$missing" rpm build > "$scratch/said" 2>&1
    [ $? -eq 2 ] && grep -q '^usage:' "$scratch/said"
}
check "an unknown manager" usage
well_formed()
{
    awk '/^#/ || NF == 0 { next }
        NF != 6 || $1 !~ /^(command|header|module|file)$/ || $3 !~ /^(build|more|full|check(-x86_64|-aarch64)?)$/ {
            print FILENAME ":" FNR ": " $0
            bad = 1
        }
        $3 == "build" && ($4 == "-" || $5 == "-" || $6 == "-") { print "no package: " $0; bad = 1 }
        END { exit bad || NR == 0 }' "$top_srcdir/tools/setup/needs"
}
check "every line has its fields, what is needed its packages" well_formed
# configure asks for nothing that the table does not have
known()
{
    sed -n 's/^ *PKG_CHECK_\(MODULES(\[[A-Z0-9]*\], \|EXISTS(\)\[\([a-z0-9-]*\).*/\2/p' "$top_srcdir/configure.ac" |
        while read -r _module; do
            grep -q "^module $_module " "$top_srcdir/tools/setup/needs" || echo "$_module"
        done > "$scratch/unknown"
    cat "$scratch/unknown"
    [ ! -s "$scratch/unknown" ]
}
check "it has every module that configure looks for" known
done_testing
