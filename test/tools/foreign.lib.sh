# Sourced where a program of another MPICH is needed, ./foreign: its library is said to be one, and the
# library $driver that is preloaded for it is any.  It notes what is preloaded in ./foreign-log.
# ./foreign5 is the same with HDF5, and notes the modules of the library that sees calls, too.

cat > mpi.c << 'END'
#include <stdio.h>
const char MPII_Version_string[] = "4.1";
int PMPI_Get_library_version(char *version, int *length)
{
    *length = sprintf(version, "MPICH Version:\t4.1\n");
    return 0;
}
END
cat > foreign.c << 'END'
#include <stdlib.h>
int PMPI_Get_library_version(char *version, int *length);
int main(void)
{
    char version[100];
    int length;

    return PMPI_Get_library_version(version, &length) ||
           system("echo \"$LD_PRELOAD\" >> foreign-log; cat \"$FOREIGN_RECORD\" >> \"$ROMIO_AUTOTUNE_RECORD\"; echo 1");
}
END
echo 'int nothing;' > nothing.c
cc -shared -fPIC -o libforeign.so mpi.c && cc -shared -fPIC -o libromio-autotune-test.so nothing.c &&
    cc -shared -fPIC -o libhdf5.so -Wl,-soname,libhdf5.so nothing.c &&
    cc -o foreign foreign.c -L. -lforeign -Wl,-rpath,"$PWD" &&
    sed 's/LD_PRELOAD/& $ROMIO_AUTOTUNE_WATCH/' foreign.c > foreign5.c &&
    cc -o foreign5 foreign5.c -L. -lforeign -Wl,-rpath,"$PWD" -Wl,--no-as-needed -lhdf5
export FOREIGN_RECORD="$expected/records/version-2.json"
driver=$PWD/libromio-autotune-test.so
