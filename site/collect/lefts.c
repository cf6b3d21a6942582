#include "lefts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store.h"
#include "value/value.h"

enum { WEEK = 7 * 24 * 3600, SAID_MOST = 16 << 20 /* bytes */ };

typedef struct left {
    char *name;
    off_t size;
    ino_t inode;
} left;

struct lefts {
    int folder;
    left *all;
    size_t count;
};

/* Opens and locks a file; -1: another process holds its lock. */
static int open_idle(int folder, const char *name, struct stat *what_p)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, what_p) == 0 && S_ISREG(what_p->st_mode) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool has_ending(const char *name, const char *ending)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL && strcmp(dot, ending) == 0;
}

/* --- before */

static void note(lefts *l, const char *name, const collect_reader *reader)
{
    struct stat what;
    int fd = open_idle(l->folder, name, &what);
    left *more = fd >= 0 ? realloc(l->all, (l->count + 1) * sizeof(*more)) : NULL;

    if (more != NULL) {
        l->all = more;
        more[l->count] = (left){strdup(name), what.st_size, what.st_ino};
        l->count += more[l->count].name != NULL;
        store_share(fd, reader); /* its owner may have changed that */
    }
    if (fd >= 0)
        close(fd);
}

/* Removes a file a week after it was moved aside: its ctime, which its owner cannot set. */
static void forget_bad(const lefts *l, const char *name)
{
    struct stat what;

    if (fstatat(l->folder, name, &what, AT_SYMLINK_NOFOLLOW) == 0 &&
        time(NULL) - what.st_ctime > WEEK)
        unlinkat(l->folder, name, 0);
}

lefts *lefts_note(const char *folder, const collect_reader *reader)
{
    lefts *l = calloc(1, sizeof(*l));
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    if (l != NULL)
        l->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (l != NULL && entries != NULL && (entry = readdir(entries)) != NULL) {
        if (has_ending(entry->d_name, ".spool"))
            note(l, entry->d_name, reader);
        else if (has_ending(entry->d_name, ".bad"))
            forget_bad(l, entry->d_name);
    }
    if (entries != NULL)
        closedir(entries);
    return l;
}

void lefts_free(lefts *l)
{
    if (l == NULL)
        return;
    while (l->count > 0)
        free(l->all[--l->count].name);
    free(l->all);
    if (l->folder >= 0)
        close(l->folder);
    free(l);
}

/* --- after */

/* NULL if it cannot be parsed.  The caller destroys it. */
static atm_value *read_said(int said)
{
    off_t length = said >= 0 ? lseek(said, 0, SEEK_END) : 0;
    char *text = length > 0 && length < SAID_MOST ? malloc((size_t) length) : NULL;
    atm_value *root = NULL;

    if (text != NULL && pread(said, text, (size_t) length, 0) == length &&
        atm_value_parse(text, (size_t) length, "import", NULL, &root) != ATM_OK)
        root = NULL;
    free(text);
    return root;
}

static bool is_among(const atm_value *bad, const char *name)
{
    for (size_t i = 0; i < atm_value_length(bad); i++) {
        const char *path = "", *slash;

        atm_get_string(atm_value_item(bad, i), NULL, NULL, &path);
        slash = strrchr(path, '/');
        if (slash != NULL && strcmp(slash + 1, name) == 0)
            return true;
    }
    return false;
}

static void move_aside(const lefts *l, const char *name, uid_t uid)
{
    char aside[NAME_MAX + 8];

    snprintf(aside, sizeof(aside), "%s.bad", name);
    if (renameat(l->folder, name, l->folder, aside) == 0)
        say_of_user(uid, "%s: cannot be imported: it is %s now", name, aside);
    else
        say_of_user(uid, "%s: cannot be imported, and not be moved aside: %m", name);
}

static void settle(const lefts *l, const atm_value *bad, uid_t uid)
{
    for (size_t i = 0; i < l->count; i++) {
        const left *one = &l->all[i];
        struct stat what;
        int fd = open_idle(l->folder, one->name, &what);

        if (fd < 0)
            continue;
        if (what.st_size != one->size || what.st_ino != one->inode) {
            close(fd);
            continue;
        }
        if (is_among(bad, one->name))
            move_aside(l, one->name, uid);
        else
            unlinkat(l->folder, one->name, 0);
        close(fd);
    }
}

/* Keeps all if some failed for another reason: it is unknown which they are. */
bool lefts_settle(const lefts *l, int said, uid_t uid)
{
    atm_value *root = read_said(said);
    const atm_value *bad = NULL;
    int64_t failed = -1;
    bool done = root != NULL &&
                atm_get_integer(root, "failed", 0, ATM_MAX_INTEGER, NULL, &failed) == ATM_OK &&
                atm_get_array(root, "bad", 0, SIZE_MAX, NULL, &bad) == ATM_OK &&
                (size_t) failed == atm_value_length(bad);

    if (done && l != NULL)
        settle(l, bad, uid);
    atm_value_destroy(root);
    return done;
}
