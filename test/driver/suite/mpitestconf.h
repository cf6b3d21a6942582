/*
 * What the programs of MPICH's test/mpi need of the header that its configure
 * would generate; every system this driver builds on has these.
 */
#ifndef MPITESTCONF_H_INCLUDED
#define MPITESTCONF_H_INCLUDED

#define HAVE_MEMORY_H 1
#define HAVE_STDARG_H 1
#define HAVE_STRING_H 1
#define HAVE_UNISTD_H 1
#define HAVE_MPI_WIN_CREATE 1
#define MPIO_USES_MPI_REQUEST 1
#define THREAD_PACKAGE_NAME THREAD_PACKAGE_NONE

#endif
