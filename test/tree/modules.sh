#!/bin/sh
# The module files: what they do, first read by a plain Tcl with stand-ins for the commands of
# Environment Modules and Lmod, then, in the full tier, by one of these.
. "${top_srcdir:?}/test/lib.sh"

prefix=${MPICC%/bin/mpicc}
modules=$scratch/stage$prefix/share/romio-autotune/modulefiles
check "make install-data-local" make -C "$top_builddir" install-data-local DESTDIR="$scratch/stage"
for module in romio-autotune mpich-autotune; do
    check "$module is there under its version" test -f "$modules/$module/$AUTOTUNE_VERSION"
    check "$module begins as module files do" grep -q '^#%Module1\.0$' "$modules/$module/$AUTOTUNE_VERSION"
done

# every command of the module file, as it was called
cat > "$scratch/read.tcl" <<'END'
foreach command {conflict prepend-path append-path setenv} {
    proc $command {args} "puts \"$command \[join \$args]\""
}
proc module-whatis {text} { if {$text eq ""} { error "module-whatis: no text" } }
source [lindex $argv 0]
ModulesHelp
END

# does MODULE: it does what is on standard input, and its help goes to stderr
does()
{
    cat > "$scratch/expected"
    tclsh "$scratch/read.tcl" "$modules/$1/$AUTOTUNE_VERSION" > "$scratch/done" 2> "$scratch/help"
    _rc=$?
    cat "$scratch/help"
    [ "$_rc" -eq 0 ] && [ -s "$scratch/help" ] && diff "$scratch/expected" "$scratch/done"
}
tools_behind()
{
    does romio-autotune <<END
conflict romio-autotune
conflict mpich-autotune
append-path PATH $prefix/bin
append-path PKG_CONFIG_PATH $LIBDIR/pkgconfig
setenv ROMIO_AUTOTUNE_LIBRARY $LIBDIR/libromio-autotune.so
$1
END
}
mpich_in_front()
{
    does mpich-autotune <<END
conflict mpich-autotune
conflict romio-autotune
prepend-path PATH $prefix/bin
prepend-path PKG_CONFIG_PATH $LIBDIR/pkgconfig
$1
END
}
no_manpath()
{
    tclsh "$scratch/read.tcl" "$modules/romio-autotune/$AUTOTUNE_VERSION" > "$scratch/done" &&
        grep -q '^append-path PATH ' "$scratch/done" && ! grep MANPATH "$scratch/done"
}
if ! command -v tclsh > /dev/null; then
    skip "what the modules do" "no tclsh"
elif [ ! -e "$top_builddir/preload/libromio-autotune.so" ]; then
    skip "what the modules do" "no preload library is made here"
else
    export MANPATH=/usr/share/man
    check "romio-autotune: the tools, behind" tools_behind "append-path MANPATH $prefix/share/man"
    check "mpich-autotune: MPICH, in front" mpich_in_front "prepend-path MANPATH $prefix/share/man"
    unset MANPATH
    check "MANPATH is not begun" no_manpath
fi

# --- the real thing

# loaded MODULE COMMAND...: COMMAND after "module load MODULE"
loaded()
{
    _module=$1
    shift
    (
        export MODULEPATH="$modules"
        unset LOADEDMODULES _LMFILES_ LD_PRELOAD
        _commands=$("$modulecmd" sh load "$_module") || exit 1
        eval "$_commands"
        "$@"
    )
}
finds()
{
    [ "$(command -v "$1")" = "$2" ]
}
nothing_preloaded()
{
    [ -z "${LD_PRELOAD-}" ] && [ "$ROMIO_AUTOTUNE_LIBRARY" = "$LIBDIR/libromio-autotune.so" ]
}
modulecmd=$(command -v modulecmd || true)
if [ -z "${AUTOTUNE_FULL-}" ]; then
    skip "module load" "only in the full tier"
elif [ -z "$modulecmd" ]; then
    skip "module load" "no Environment Modules"
else
    check "module load romio-autotune" loaded romio-autotune finds autotune "$prefix/bin/autotune"
    check "it leaves another mpicc the first" loaded romio-autotune finds mpicc "$(command -v mpicc || echo "$MPICC")"
    check "it preloads nothing, but tells the library" loaded romio-autotune nothing_preloaded
    check "module load mpich-autotune" loaded mpich-autotune finds mpicc "$MPICC"
fi
done_testing
