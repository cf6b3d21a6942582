/*
 * Every form of a file name, good and bad: which driver it reaches, what
 * MPI_File_delete does with it, and that errors are the wrapped driver's, on
 * all ranks.
 */

#include "common.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef ROMIO_NUMVERSION /* of another MPICH where it is preloaded */
#define ROMIO_NUMVERSION MPICH_NUMVERSION
#endif

static int exists(const char *file)
{
    int there = 0;

    if (rank == 0)
        there = access(path("", file), F_OK) == 0;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return there;
}

/* Delete on one rank, and wait for it on the others. */
static int delete_class(const char *name)
{
    int error_class = 0;

    if (rank == 0)
        error_class = class_of(MPI_File_delete(name, MPI_INFO_NULL));
    MPI_Bcast(&error_class, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return error_class;
}

/* A name of this form creates "file" with driver "wrapped" and deletes it. */
static void works(const char *prefix, const char *file, const char *wrapped)
{
    const char *name = path(prefix, file);
    MPI_File fh;
    int error_class = open_class(MPI_COMM_WORLD, name, RDWR_CREATE, &fh);

    if (!tap_ok(error_class == MPI_SUCCESS, "%s opens", prefix))
        return;
    tap_ok(strcmp(hint_of(fh, "romio_autotune_wrapped"), wrapped) == 0, "%s%s reaches %s", prefix,
           file, wrapped);
    MPI_File_close(&fh);
    tap_ok(exists(file), "%s%s is where POSIX expects it", prefix, file);
    tap_ok(delete_class(name) == MPI_SUCCESS && !exists(file), "%s%s is deleted", prefix, file);
}

static void test_forms(void)
{
    char nested[64], upper[64];

    works("autotune:", "plain", fs);
    works("AutoTune:", "plain", fs);
    works("autotune:autotune:", "plain", fs);
    works("autotune:", "with:colon", fs);
    works("autotune:", "ufs:named", fs);
    snprintf(nested, sizeof(nested), "autotune:%s:", fs);
    works(nested, "plain", fs);
    works(nested, "with:colons:in:it", fs);
    for (size_t i = 0; i <= strlen(nested); i++)
        upper[i] = (char) toupper((unsigned char) nested[i]);
    works(upper, "plain", fs);
    works("autotune:ufs:", "plain", "ufs");
    works("autotune:gpfs:", "plain", "gpfs");
    works("autotune:nfs:", "plain", "nfs");
}

/* Names without our prefix: a colon in them ends none. */
static void test_forced(void)
{
    char text[MPI_MAX_ERROR_STRING] = "", nested[64];
    int length, code;
    MPI_File fh;

    setenv("ROMIO_FSTYPE_FORCE", "autotune:", 1);
    works("", "plain", fs);
    works("", "with:colon", fs);
    works("autotune:", "with:colons:in:it", fs);
    snprintf(nested, sizeof(nested), "%s:", fs);
    works(nested, "with:colon", fs);
    works("testfs:", "plain", fs);
    setenv("ROMIO_FSTYPE_FORCE", "autotune", 1);
    code = MPI_File_open(MPI_COMM_WORLD, path("", "plain"), RDWR_CREATE, MPI_INFO_NULL, &fh);
    if (code != MPI_SUCCESS)
        MPI_Error_string(code, text, &length);
    tap_ok(strstr(text, "ROMIO_FSTYPE_FORCE=autotune lacks its colon") != NULL,
           "forced without the colon: the error says so");
    unsetenv("ROMIO_FSTYPE_FORCE");
}

/* The beginning of our prefix is none: the file has this name. */
static void test_no_prefix(const char *name)
{
    MPI_File fh;
    int opens = open_class(MPI_COMM_WORLD, name, RDWR_CREATE, &fh) == MPI_SUCCESS;

    if (opens)
        MPI_File_close(&fh);
    tap_ok(opens && exists(name) && delete_class(name) == MPI_SUCCESS, "%s is a name", name);
}

static void test_relative(void)
{
    MPI_File fh;

    if (chdir(directory) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    tap_ok(open_class(MPI_COMM_WORLD, "autotune:bare", RDWR_CREATE, &fh) == MPI_SUCCESS,
           "a bare name opens");
    tap_ok(strcmp(hint_of(fh, "romio_autotune_wrapped"), fs) == 0, "a bare name reaches %s", fs);
    MPI_File_close(&fh);
    tap_ok(exists("bare") && delete_class("autotune:bare") == MPI_SUCCESS && !exists("bare"),
           "a bare name is deleted");
    if (ROMIO_NUMVERSION >= 40100000) { /* before, every colon ends a prefix */
        test_no_prefix("a:name");
        test_no_prefix("auto:name");
    }
}

/* The driver is that of the file system where the link leads. */
static void test_dangling_link(void)
{
    MPI_File fh;

    if (rank == 0 && (symlink("target", path("", "link")) != 0 ||
                      symlink(path("", "link"), path("", "link2")) != 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    tap_ok(open_class(MPI_COMM_WORLD, path("autotune:", "link2"), RDWR_CREATE, &fh) == MPI_SUCCESS,
           "a dangling link opens");
    tap_ok(strcmp(hint_of(fh, "romio_autotune_wrapped"), fs) == 0, "its target reaches %s", fs);
    MPI_File_close(&fh);
    tap_ok(exists("target"), "its target is created");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(path("", "link"));
        unlink(path("", "link2"));
        unlink(path("", "target"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Opening and deleting "file" fail as they do with the wrapped driver. */
static void fails_alike(const char *prefix, const char *reference, const char *file, int mode,
                        const char *what)
{
    MPI_File fh;
    int ours = open_class(MPI_COMM_WORLD, path(prefix, file), mode, &fh);
    int theirs = open_class(MPI_COMM_WORLD, path(reference, file), mode, &fh);

    tap_ok(ours != MPI_SUCCESS, "%s: refused on every rank", what);
    tap_ok(ours == theirs, "%s: class %d as with %s", what, theirs, reference);
    tap_ok(delete_class(path(prefix, file)) == delete_class(path(reference, file)),
           "%s: delete gives the same class", what);
}

/* The error names what was wrong, and what there is. */
static void test_unknown_driver(void)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    MPI_File fh;
    int length, code = MPI_File_open(MPI_COMM_WORLD, path("autotune:nosuch:", "x"), RDWR_CREATE,
                                     MPI_INFO_NULL, &fh);

    MPI_Error_string(code, text, &length);
    if (!tap_ok(strstr(text, "there is no driver nosuch to wrap; there are ufs") != NULL,
                "an unknown driver is named, and those that are known"))
        printf("# %s\n", text);
}

static void test_errors(void)
{
    int read_only = 0;

    fails_alike("autotune:", direct(), "no/such/directory/x", RDWR_CREATE, "missing directory");
    fails_alike("autotune:", direct(), "missing", MPI_MODE_RDONLY, "missing file");
    /* xfs: is a prefix in all versions, of a driver that is not built */
    fails_alike("autotune:nosuch:", "xfs:", "x", RDWR_CREATE, "unknown nested prefix");
    fails_alike("autotune:", direct(), "", RDWR_CREATE, "a directory");
    if (rank == 0)
        read_only = access("/sys/kernel", F_OK) == 0 && access("/proc/version", F_OK) == 0;
    MPI_Bcast(&read_only, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (read_only) {
        const char *saved = directory;

        /* a file system on which even root creates nothing */
        directory = "/proc";
        fails_alike("autotune:", "ufs:", "autotune-test", RDWR_CREATE, "no files can be made here");
        directory = saved;
    }
}

/* Rank 0 decides for all, whatever the others' spelling. */
static void test_spellings(void)
{
    MPI_File fh;
    const char *name = rank == 0 ? path("autotune:", "spelt") : path("autotune:ufs:", "spelt");

    tap_ok(open_class(MPI_COMM_WORLD, name, RDWR_CREATE, &fh) == MPI_SUCCESS,
           "ranks may spell a name differently");
    tap_ok(strcmp(hint_of(fh, "romio_autotune_wrapped"), fs) == 0, "and agree on rank 0's driver");
    MPI_File_close(&fh);
    delete_class(path("autotune:", "spelt"));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    test_forms();
    test_forced();
    test_dangling_link();
    test_errors();
    test_unknown_driver();
    test_spellings();
    test_relative();
    return finish();
}
