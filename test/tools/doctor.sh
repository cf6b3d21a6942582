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
check "our MPICH: which" grep -q "^./ours: uses MPICH [0-9]" said
cc -o serial nothing.c
check "a serial program" ends 1 "./serial: no MPI library is among its libraries" doctor ./serial
check "in PATH" ends 1 "no MPI library" env PATH="$scratch" "$autotune" doctor serial
if cc -static -o static nothing.c 2> /dev/null; then
    check "a static program" ends 1 "./static: linked statically" doctor ./static
    check "how its calls can be seen" grep -q "autotune wrap --flags" said
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
check "a library is missing" ends 2 "./lost: libgone.so is not found: are all its libraries there?" doctor ./lost
LD_LIBRARY_PATH=$scratch/lib
export LD_LIBRARY_PATH
check "it is where the environment says" ends 1 "no MPI library" doctor ./lost
unset LD_LIBRARY_PATH

check_tap "needs" env CMOCKA_MESSAGE_OUTPUT=TAP timeout 120 "$top_builddir/test/unit/tools/test_needs"

# --- nothing of a program is run, and the loader's rules are known all the same

cat > fake.c << 'END_OF_LIBRARY'
#include <fcntl.h>
int PMPI_Get_library_version(char *version, int *length) { return *version = *length = 0; }
const char MPII_Version_string[] = NUMBER;
const char family[] = "MPICH";
__attribute__((constructor)) void run(void) { open("ran", O_CREAT | O_WRONLY, 0600); }
END_OF_LIBRARY
printf '#!/bin/sh\ntouch "%s/ran"\n' "$scratch" > loader
chmod +x loader
# library NAME NUMBER [OPTION...]: libfake.so or what needs it, in folder NAME
library()
{
    mkdir -p "$1"
    cc -shared -fPIC -DNUMBER="\"$2\"" -o "$1/libfake.so" fake.c
}
library one 1.1.1
library two 2.2.2
library three '3.3.3\033[31m'
cc -o hostile nothing.c -Wl,--no-as-needed,--dynamic-linker="$scratch/loader" -Lone -lfake -Wl,--enable-new-dtags,-rpath,'$ORIGIN/one'
check "a library with a constructor, a loader that is none" ends 0 "./hostile: uses MPICH 1.1.1" doctor ./hostile
check "found from where the program is" grep -qxF "($scratch/one/libfake.so)" said
check "neither was run" test ! -e ran
uses() { LD_LIBRARY_PATH=$1 "$autotune" doctor --library "$library" "$2" | grep -qF "uses MPICH $3"; }
check "the environment comes before RUNPATH" uses "$scratch/two" ./hostile 2.2.2
cc -o old nothing.c -Wl,--no-as-needed,--dynamic-linker="$scratch/loader" -Lone -lfake -Wl,--disable-new-dtags,-rpath,"$scratch/one"
check "RPATH before the environment" uses "$scratch/two" ./old 1.1.1
mkdir -p between
cc -shared -fPIC -o between/libneeds.so nothing.c -Wl,--no-as-needed -Lone -lfake
cc -o inherits nothing.c -Wl,--no-as-needed,--allow-shlib-undefined -Lbetween -lneeds -Wl,--disable-new-dtags,-rpath,"$scratch/between:$scratch/two"
check "RPATH is for libraries of libraries" uses "" ./inherits 2.2.2
cc -o inherits nothing.c -Wl,--no-as-needed,--allow-shlib-undefined,-rpath-link,one -Lbetween -lneeds -Wl,--enable-new-dtags,-rpath,"$scratch/between:$scratch/two"
check "RUNPATH is not" ends 2 "libfake.so is not found" doctor ./inherits
check "what a library says does not control a terminal" sh -c "LD_LIBRARY_PATH='$scratch/three' '$autotune' doctor --library '$library' ./hostile | grep -qx './hostile: uses MPICH 3.3.3'"

# --- run

check "run: help" ends 0 "usage: autotune run" "$autotune" run --help
check "run: no command" ends 2 "a command is needed" run
check "run: a wrong mode" ends 2 "--mode fast: not automatic, enable or disable" run --mode fast -- true
check "run: no library" ends 1 "./none: No such file" "$autotune" run --library ./none -- true
check "run: no profile" ends 1 "none.json" run --profile "$scratch/none.json" -- true
check "run: no such command" ends 127 "none-at-all: No such file" run -- none-at-all
check "run: no program" ends 126 "./text: Permission denied" run -- ./text
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
