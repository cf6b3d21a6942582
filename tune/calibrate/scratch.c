/* The directory for data files: DIR/autotune-calibrate.d, removed at the end. */

#include "calibrate.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const char *directory, const char *name, const char *other,
                      const char *ending)
{
    char path[2 * PATH_MAX], wanted[PATH_MAX];
    struct stat a, b;

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    snprintf(wanted, sizeof(wanted), "%s%s", other, ending);
    return stat(path, &a) == 0 && stat(wanted, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Anything that is neither ours nor what we write. */
static bool holds_others(const cal_options *options)
{
    DIR *directory = opendir(options->directory);
    bool others = false;

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, SCRATCH_NAME) != 0 &&
            !same_file(options->directory, entry->d_name, options->out, "") &&
            !same_file(options->directory, entry->d_name, options->out, ".journal"))
            others = true;
    if (directory != NULL)
        closedir(directory);
    return others;
}

/* Data files only: whatever else is there was not made by us. */
static int empty(const char *path)
{
    DIR *directory = opendir(path);
    int code = 0;

    if (directory == NULL)
        return errno == ENOENT ? 0 : errno;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot != NULL && strcmp(dot, ".data") == 0 &&
            unlinkat(dirfd(directory), entry->d_name, 0) != 0)
            code = errno;
    }
    closedir(directory);
    return code;
}

uint64_t scratch_bytes(const cal_options *options)
{
    char path[PATH_MAX];
    uint64_t bytes = 0;
    struct stat file;
    DIR *directory;

    snprintf(path, sizeof(path), "%s/%s", options->directory, SCRATCH_NAME);
    directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (fstatat(dirfd(directory), entry->d_name, &file, 0) == 0 && S_ISREG(file.st_mode))
            bytes += (uint64_t) file.st_blocks * 512;
    if (directory != NULL)
        closedir(directory);
    return bytes;
}

bool scratch_make(const cal_options *options, int *code_p)
{
    char path[PATH_MAX];
    int code;

    snprintf(path, sizeof(path), "%s/%s", options->directory, SCRATCH_NAME);
    *code_p = 1;
    if (mkdir(options->directory, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "autotune-calibrate: %s: %s\n", options->directory, strerror(errno));
        return false;
    }
    if (!options->force && holds_others(options)) {
        fprintf(stderr,
                "autotune-calibrate: %s: is not empty; name another directory, or use --force\n",
                options->directory);
        *code_p = 2;
        return false;
    }
    code = empty(path);
    if (code == 0 && mkdir(path, 0777) != 0 && errno != EEXIST)
        code = errno;
    if (code != 0)
        fprintf(stderr, "autotune-calibrate: %s: %s\n", path, strerror(code));
    return code == 0;
}

void scratch_remove(const cal_options *options)
{
    char path[PATH_MAX];
    int code;

    snprintf(path, sizeof(path), "%s/%s", options->directory, SCRATCH_NAME);
    code = empty(path);
    if (code == 0 && rmdir(path) != 0 && errno != ENOENT)
        code = errno;
    if (code != 0)
        fprintf(stderr, "autotune-calibrate: %s: %s\n", path, strerror(code));
}
