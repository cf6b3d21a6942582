/*
 * The environment, and which path is which file system.
 *
 * Membership is asked of the kernel, through the name of an open descriptor in
 * /proc/self/fd: relative paths, "..", symbolic links, dup and descriptors
 * inherited over exec need no care of their own.
 */

#include "standin.h"
#include "standin_time.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TREES 8

struct tree {
    enum standin_fs fs;
    size_t length;
    char root[PATH_MAX];
};

static struct tree trees[MAX_TREES];
static int tree_count;
static struct standin_config config = {
    .ost_count = 4,
    .default_count = 1,
    .default_size = 1 << 20,
    .gpfs_blksize = 4 << 20,
};

void *standin_next(void **slot, const char *name)
{
    void *next = __atomic_load_n(slot, __ATOMIC_RELAXED);

    if (!next) {
        next = dlsym(RTLD_NEXT, name);
        __atomic_store_n(slot, next, __ATOMIC_RELAXED);
    }
    return next;
}

static bool complain(const char *variable, const char *value, const char *problem)
{
    fprintf(stderr, "standin: %s=%s: %s; nothing is shown\n", variable, value, problem);
    return false;
}

/* A decimal number from MIN to MAX, ended by END. */
static const char *parse_number(const char *text, char end, long min, long max, long *value_p)
{
    char *rest;
    long value;

    errno = 0;
    value = strtol(text, &rest, 10);
    if (rest == text || *rest != end || errno || value < min || value > max)
        return NULL;
    *value_p = value;
    return rest;
}

static bool read_ost_count(const char *text)
{
    long value;

    if (!parse_number(text, '\0', 1, LOV_MAX_STRIPE_COUNT, &value))
        return complain("STANDIN_OSTS", text, "not a number from 1 to 2000");
    config.ost_count = value;
    return true;
}

static bool read_layout(const char *text)
{
    long count, size;
    const char *colon = parse_number(text, ':', -1, LOV_MAX_STRIPE_COUNT, &count);

    if (!colon || count == 0 || !parse_number(colon + 1, '\0', 1, UINT32_MAX, &size))
        return complain("STANDIN_LAYOUT", text, "not COUNT:SIZE, with COUNT -1 for all OSTs");
    if (size % LOV_MIN_STRIPE_SIZE)
        return complain("STANDIN_LAYOUT", text, "SIZE is not a multiple of 65536");
    config.default_count = count;
    config.default_size = size;
    return true;
}

static bool read_overstriping(const char *text)
{
    if (strcmp(text, "no") != 0)
        return complain("STANDIN_OVERSTRIPING", text, "not \"no\"");
    config.no_overstriping = true;
    return true;
}

static bool read_blksize(const char *text)
{
    long value;

    if (!parse_number(text, '\0', 512, 1 << 30, &value))
        return complain("STANDIN_BLKSIZE", text, "not a number from 512 to 1073741824");
    config.gpfs_blksize = value;
    return true;
}

static bool read_times(const char *text)
{
    static struct standin_times times;
    const char *problem = standin_times_read(text, &times);

    if (!problem && config.ost_count > STANDIN_TIME_OSTS)
        problem = "more than 256 OSTs";
    if (problem)
        return complain("STANDIN_TIME", text, problem);
    config.times = &times;
    return true;
}

/* One FS:/dir of STANDIN. */
static bool read_tree(const char *text, char *entry)
{
    static const char *const names[] = {
        [STANDIN_LUSTRE] = "lustre", [STANDIN_GPFS] = "gpfs", [STANDIN_NFS] = "nfs"};
    char *directory = strchr(entry, ':');
    struct tree *tree = &trees[tree_count];

    if (tree_count == MAX_TREES)
        return complain("STANDIN", text, "more than 8 directories");
    if (!directory || directory[1] != '/')
        return complain("STANDIN", text, "not FS:/dir[,FS:/dir...]");
    *directory++ = '\0';
    for (tree->fs = STANDIN_LUSTRE; strcmp(entry, names[tree->fs]) != 0; tree->fs++)
        if (tree->fs == STANDIN_NFS)
            return complain("STANDIN", text, "the file system is not lustre, gpfs or nfs");
    if (!realpath(directory, tree->root))
        return complain("STANDIN", text, strerror(errno));
    tree->length = strcmp(tree->root, "/") == 0 ? 0 : strlen(tree->root);
    tree_count++;
    return true;
}

static bool read_trees(const char *text)
{
    static char copy[MAX_TREES * PATH_MAX];
    char *rest = copy;
    char *entry;

    if (strlen(text) >= sizeof copy)
        return complain("STANDIN", text, strerror(ENAMETOOLONG));
    strcpy(copy, text);
    while ((entry = strsep(&rest, ",")))
        if (!read_tree(text, entry))
            return false;
    return true;
}

static void read_environment(void)
{
    static const struct {
        const char *name;
        bool (*read)(const char *);
    } variables[] = {
        {"STANDIN_OSTS", read_ost_count},
        {"STANDIN_LAYOUT", read_layout},
        {"STANDIN_OVERSTRIPING", read_overstriping},
        {"STANDIN_BLKSIZE", read_blksize},
        {"STANDIN_TIME", read_times}, /* after the number of OSTs */
        {"STANDIN", read_trees},
    };
    int saved_errno = errno;

    if (!getenv("STANDIN"))
        return;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i].name);
        if (value && !variables[i].read(value)) {
            tree_count = 0;
            config.times = NULL;
            break;
        }
    }
    for (int i = 0; i < tree_count; i++)
        config.shows[trees[i].fs] = true;
    errno = saved_errno;
}

const struct standin_config *standin_config(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_environment);
    return &config;
}

const char *standin_lustre_root(void)
{
    for (int i = 0; i < tree_count; i++)
        if (trees[i].fs == STANDIN_LUSTRE)
            return trees[i].root;
    return "";
}

static bool is_inside(const struct tree *tree, const char *path)
{
    return strncmp(path, tree->root, tree->length) == 0 &&
           (path[tree->length] == '/' || path[tree->length] == '\0');
}

/* The innermost tree counts. */
static const struct tree *tree_of(const char *path)
{
    const struct tree *found = NULL;

    for (int i = 0; i < tree_count; i++)
        if (is_inside(&trees[i], path) && (!found || trees[i].length > found->length))
            found = &trees[i];
    return found;
}

const char *standin_root_of(const char *name)
{
    const struct tree *tree = tree_of(name);

    return tree ? tree->root : "";
}

bool standin_name_of_fd(int fd, char *name)
{
    int saved_errno = errno;
    char link[32];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, name, PATH_MAX - 1);
    errno = saved_errno;
    name[length < 0 ? 0 : length] = '\0';
    return length >= 0;
}

enum standin_fs standin_fs_of_fd(int fd)
{
    const struct tree *tree = NULL;
    char name[PATH_MAX];

    standin_config();
    if (tree_count > 0 && standin_name_of_fd(fd, name))
        tree = tree_of(name);
    return tree ? tree->fs : STANDIN_NONE;
}

int standin_open_path(int dirfd, const char *path)
{
    int saved_errno = errno;
    int fd = NEXT(openat)(dirfd, path, O_PATH | O_CLOEXEC);

    errno = saved_errno;
    return fd;
}

void standin_close_path(int fd)
{
    int saved_errno = errno;

    NEXT(close)(fd);
    errno = saved_errno;
}

enum standin_fs standin_fs_of_path(int dirfd, const char *path)
{
    enum standin_fs fs;
    int fd;

    standin_config();
    if (tree_count == 0 || (fd = standin_open_path(dirfd, path)) < 0)
        return STANDIN_NONE;
    fs = standin_fs_of_fd(fd);
    standin_close_path(fd);
    return fs;
}
