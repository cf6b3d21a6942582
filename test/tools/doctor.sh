#!/bin/sh
# autotune doctor and run: programs with and without MPI, and what they are told.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
library=$top_builddir/preload/libromio-autotune.so
[ -e "$library" ] || library=/bin/sh # any file: this processor has no preload library
cd "$scratch" || exit 99

doctor() { "$autotune" doctor --library "$library" "$@"; }
run() { "$autotune" run --library "$library" "$@"; }

echo 'int main(void) { return 0; }' > nothing.c
echo '#include <mpi.h>' > mpi.c
echo 'int main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }' >> mpi.c

# --- doctor

check "help" ends 0 "usage: autotune doctor" "$autotune" doctor --help
check "no program" ends 2 "one program is needed" doctor
check "two programs" ends 2 "one program is needed" doctor ls ls
check "not there" ends 2 "./none: no such program" doctor ./none
check "not in PATH" ends 2 "none-at-all: no such program" doctor none-at-all
echo "some text" > text
check "not a program" ends 2 "text: is neither a program nor a script" doctor ./text
head -c 70 "$autotune" > cut
check "a damaged one" ends 2 "cut: is neither a program nor a script" doctor ./cut

"$MPICC" -o ours mpi.c
check "our MPICH" ends 0 "The driver is built in" doctor ./ours
check "our MPICH: which" grep -q "^./ours: uses MPICH Version: " said
cc -o serial nothing.c
check "a serial program" ends 1 "./serial: no MPI library is among its libraries" doctor ./serial
check "in PATH" ends 1 "no MPI library" env PATH="$scratch" "$autotune" doctor serial
if cc -static -o static nothing.c 2> /dev/null; then
    check "a static program" ends 1 "./static: linked statically" doctor ./static
else
    skip "a static program" "there are no static libraries"
fi
printf '#!/usr/bin/env python3\n' > script
check "a script" ends 1 "./script: a script for /usr/bin/env python3" doctor ./script

if command -v mpicc.mpich > /dev/null; then
    mpicc.mpich -o debian mpi.c
    check "Debian's MPICH" ends 0 "put \"autotune run --\" before the command" doctor ./debian
    check "Debian's MPICH: which" grep -q "^(.*/libmpich.so" said
    check "without the preload library" ends 1 "the library is not there" "$autotune" doctor --library ./none ./debian
else
    skip "Debian's MPICH" "it is not installed"
fi
if command -v mpicc.openmpi > /dev/null && [ -e "${library%.so}-openmpi.so" ]; then
    mpicc.openmpi -o open mpi.c
    check "Open MPI" ends 0 "put \"autotune run --\" before the command" doctor ./open
    check "Open MPI: which" grep -q "^./open: uses Open MPI" said
    mkdir alone
    cp "$library" alone/
    check "without the library for Open MPI" ends 1 "libromio-autotune-openmpi.so is not there" \
        "$autotune" doctor --library "alone/${library##*/}" ./open
else
    skip "Open MPI" "it is not installed, or configure did not find it"
fi
mkdir lib
cc -shared -fPIC -o lib/libgone.so nothing.c
cc -o lost nothing.c -Wl,--no-as-needed -Llib -lgone
check "a library is missing" ends 2 "are all its libraries there?" doctor ./lost

# --- run

check "run: help" ends 0 "usage: autotune run" "$autotune" run --help
check "run: no command" ends 2 "a command is needed" run
check "run: a wrong mode" ends 2 "--mode fast: not automatic, enable or disable" run --mode fast -- true
check "run: no library" ends 1 "./none: No such file" "$autotune" run --library ./none -- true
check "run: no profile" ends 1 "none.json" run --profile "$scratch/none.json" -- true
check "run: no such command" ends 1 "none-at-all: No such file" run -- none-at-all
check "run: its exit code" ends 7 "mode automatic; profile built-in; all files" run -- sh -c 'exit 7'
check "run: quiet" test -z "$(run --quiet -- true 2>&1)"

# value NAME OPTION...: of a variable of the program
value()
{
    _name=$1
    shift
    run --quiet "$@" -- sh -c "echo \"\$$_name\""
}
check "run: preloads" test "$(value LD_PRELOAD)" = "$library"
check "run: behind others" test "$(LD_PRELOAD=/none.so value LD_PRELOAD 2> /dev/null)" = "/none.so:$library"
check "run: all files" test "$(value ROMIO_AUTOTUNE_PRELOAD)" = all
check "run: only named ones" test -z "$(value ROMIO_AUTOTUNE_PRELOAD --names-only)"
check "run: MPI's own variable is left alone" test -z "$(value ROMIO_FSTYPE_FORCE)"
check "run: passed on by Open MPI" test "$(value OMPI_MCA_mca_base_env_list --mode enable)" = \
    "LD_PRELOAD;ROMIO_AUTOTUNE_LAUNCH;ROMIO_AUTOTUNE_PRELOAD;ROMIO_AUTOTUNE;ROMIO_AUTOTUNE_PROFILE"
check "run: mode" test "$(value ROMIO_AUTOTUNE --mode enable)" = enable
check "run: profile" test "$(value ROMIO_AUTOTUNE_PROFILE --profile built-in)" = built-in

done_testing
