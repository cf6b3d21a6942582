#!/bin/sh
# The other processor: what needs no MPI is built for it, its unit tests run there
# under an emulator, and the model chooses there as here, to the last digit.
# What is fetched and built stays in build/portability.
. "${top_srcdir:?}/test/lib.sh"

case $(uname -m) in
    x86_64) architecture=arm64 triplet=aarch64-linux-gnu emulator=qemu-aarch64-static ;;
    aarch64) architecture=amd64 triplet=x86_64-linux-gnu emulator=qemu-x86_64-static ;;
    *) architecture='' triplet=none emulator=none ;;
esac
other=$top_builddir/portability/$architecture
root=$other.root
models="advice advise allocations atm choose choose_lustre counts counts_odd
    decide explain hostlist place predict profile program record record_read search surrogate surrogate_memory
    surrogate_parts surrogate_range surrogate_read topology value where where_slurm"
[ -z "$AUTOTUNE_FULL" ] || models="$models choose_any counts_any json memory" # minutes under an emulator

give_up()
{
    skip "the other processor" "$1"
    done_testing
    exit
}
[ -n "$architecture" ] || give_up "no other processor is known for $(uname -m)"
for tool in "$triplet-gcc" "$emulator"; do
    command -v "$tool" > /dev/null || give_up "$tool is not installed"
done
mkdir -p "$top_builddir/portability"
"$top_srcdir/test/tree/portability/sysroot" "$architecture" "$root" > "$scratch/said" 2>&1 ||
    give_up "$(tail -n 1 "$scratch/said")"

# configured once for a version of configure
configure_other()
{
    cmp -s "$top_srcdir/configure" "$other/configured" && return 0
    rm -rf "$other"
    mkdir -p "$other"
    compiler=$triplet-gcc
    ! command -v ccache > /dev/null || compiler="ccache $compiler"
    cd "$other" && PKG_CONFIG_LIBDIR=$root/usr/lib/$triplet/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
        "$top_srcdir/configure" --host="$triplet" CC="$compiler" CFLAGS=-O2 \
        CPPFLAGS="-I$root/usr/include" LDFLAGS="-L$root/usr/lib/$triplet -Wl,-rpath-link,$root/lib/$triplet:$root/usr/lib/$triplet" &&
        cp "$top_srcdir/configure" configured
}
programs="tools/autotune/autotune test/unit/tools/test_stats test/unit/tools/test_page test/unit/train/test_runs"
for name in $models; do programs="$programs test/unit/models/test_$name"; done
for name in plan schedule statistics journal; do
    programs="$programs test/unit/calibrate/test_$name"
done
build_other()
{
    # shellcheck disable=SC2086
    make -C "$other" -j2 V=0 $programs
}
check "configured for $triplet" configure_other
check "built for $triplet" build_other

export CMOCKA_MESSAGE_OUTPUT=TAP
for program in $programs; do
    case $program in
        tools/*) continue ;;
        test/unit/train/*) set -- "$top_srcdir/test/unit/train/data" ;;
        *) set -- ;;
    esac
    check_tap "$triplet: $(basename "$program")" timeout 600 "$emulator" -L "$root" \
        "$other/$program" "$@"
done

choices=$top_srcdir/test/tree/portability/choices
profile=$top_srcdir/test/tools/profile.json
sh "$choices" "$profile" "$top_builddir/tools/autotune/autotune" > "$scratch/here"
sh "$choices" "$profile" "$emulator" -L "$root" "$other/tools/autotune/autotune" > "$scratch/there"
chosen()
{
    grep -c '"format": "romio-autotune-decision"' "$scratch/here"
    [ "$(grep -c '"format": "romio-autotune-decision"' "$scratch/here")" -eq 200 ]
}
check "two hundred choices" chosen
check "the same choices on both processors" diff "$scratch/here" "$scratch/there"
check "decisions that one has made, made again" "$emulator" -L "$root" "$other/tools/autotune/autotune" replay "$top_srcdir/test/tools/decisions"
done_testing
