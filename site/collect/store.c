#include "store.h"
#include "common/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { LEAST = 4096, COUNT_EVERY = 5, LOOK_EVERY = 1 }; /* bytes of any file; seconds */

typedef struct user {
    struct user *next;
    uid_t uid;
    int folder;
    uint64_t used;
    double counted; /* when */
} user;

struct store {
    char *path;
    int folder;
    uint64_t limit, keep_free;
    const collect_reader *reader;
    bool sync;
    user *users;
    double looked;
    bool is_full; /* the disk */
    char host[65];
};

struct stored {
    store *store;
    user *user;
    int fd;
    uint64_t size;
    char name[160], *path;
};

/* --- folders */

bool make_folders(const char *path, mode_t mode)
{
    char part[PATH_MAX];

    if (snprintf(part, sizeof(part), "%s", path) >= (int) sizeof(part))
        return false;
    for (char *slash = part + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(part, mode) == 0 || errno == EEXIST;
}

/* Opens a folder that only we may write to; -1: said why. */
static int open_own(int at, const char *name, const char *said)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat what;

    if (fd < 0 || fstat(fd, &what) != 0)
        say("%s: cannot be used: %m", said);
    else if (what.st_uid != geteuid() || (what.st_mode & 022) != 0)
        say("%s: must be a folder of our own that nobody else can write to", said);
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

store *store_open(const char *dir, uint64_t limit, uint64_t keep_free, const collect_reader *reader,
                  bool sync)
{
    store *s = calloc(1, sizeof(*s));

    if (s == NULL || (s->path = strdup(dir)) == NULL) {
        say("no memory");
        free(s);
        return NULL;
    }
    s->limit = limit;
    s->keep_free = keep_free;
    s->reader = reader;
    s->sync = sync;
    if (gethostname(s->host, sizeof(s->host) - 1) != 0 || s->host[0] == '\0')
        strcpy(s->host, "unknown");
    for (char *slash = s->host; (slash = strchr(slash, '/')) != NULL;)
        *slash = '_';
    if (!make_folders(dir, geteuid() == 0 ? 0755 : 0700))
        say("%s: cannot be made: %m", dir);
    else
        s->folder = open_own(AT_FDCWD, dir, dir);
    if (s->folder > 0)
        return s;
    s->folder = -1;
    store_close(s);
    return NULL;
}

void store_close(store *s)
{
    if (s == NULL)
        return;
    while (s->users != NULL) {
        user *first = s->users;

        s->users = first->next;
        close(first->folder);
        free(first);
    }
    if (s->folder >= 0)
        close(s->folder);
    free(s->path);
    free(s);
}

/* --- users */

static uint64_t at_least(uint64_t size)
{
    return size > LEAST ? size : LEAST;
}

/* Importers remove files, processes go on writing theirs: what there is, is counted again. */
static void count(user *u)
{
    int again = openat(u->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    const struct dirent *entry;
    struct stat what;
    uint64_t sum = 0;

    if (folder == NULL) {
        if (again >= 0)
            close(again);
        return;
    }
    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.' &&
            fstatat(u->folder, entry->d_name, &what, AT_SYMLINK_NOFOLLOW) == 0)
            sum += at_least((uint64_t) what.st_size);
    closedir(folder);
    u->used = sum;
    u->counted = clock_steady();
}

static user *user_of(store *s, uid_t uid)
{
    char name[32], said[PATH_MAX];
    user *u = s->users;

    while (u != NULL && u->uid != uid)
        u = u->next;
    if (u != NULL)
        return u;
    snprintf(name, sizeof(name), "%lu", (unsigned long) uid);
    snprintf(said, sizeof(said), "%.4000s/%s", s->path, name);
    if (mkdirat(s->folder, name, geteuid() == 0 ? 0755 : 0700) != 0 && errno != EEXIST) {
        say_of_user(uid, "%s: cannot be made: %m", said);
        return NULL;
    }
    u = calloc(1, sizeof(*u));
    if (u == NULL || (u->folder = open_own(s->folder, name, said)) < 0) {
        free(u);
        return NULL;
    }
    u->uid = uid;
    count(u);
    u->next = s->users;
    s->users = u;
    return u;
}

static bool has_room(store *s, user *u, uint64_t bytes)
{
    double now = clock_steady();
    struct statvfs disk;

    if (now - s->looked >= LOOK_EVERY) {
        s->looked = now;
        s->is_full = fstatvfs(s->folder, &disk) == 0 &&
                     (uint64_t) disk.f_bavail * disk.f_frsize < s->keep_free;
    }
    if (now - u->counted >= COUNT_EVERY)
        count(u);
    return !s->is_full && bytes <= s->limit && u->used <= s->limit - bytes;
}

/* --- files */

bool store_share(int fd, const collect_reader *reader)
{
    return reader->name == NULL ||
           (fchown(fd, (uid_t) -1, reader->gid) == 0 && fchmod(fd, 0640) == 0);
}

static int create_file(const store *s, const stored *file, uid_t uid, gid_t gid)
{
    int fd = openat(file->user->folder, file->name,
                    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (fd < 0) {
        say_of_user(uid, "%s/%lu/%s: cannot be made: %m", s->path, (unsigned long) uid, file->name);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        (geteuid() != 0 || (fchown(fd, uid, gid) == 0 && fchmod(fd, 0600) == 0)) &&
        store_share(fd, s->reader))
        return fd;
    say_of_user(uid, "%s/%lu/%s: cannot be given to its user: %m", s->path, (unsigned long) uid,
                file->name);
    unlinkat(file->user->folder, file->name, 0);
    close(fd);
    return -1;
}

stored *store_create(store *s, uid_t uid, gid_t gid, const atw_spool_head *head)
{
    stored *file = calloc(1, sizeof(*file));
    user *u = user_of(s, uid);

    if (file == NULL || u == NULL || !has_room(s, u, LEAST)) {
        free(file);
        return NULL;
    }
    file->store = s;
    file->user = u;
    snprintf(file->name, sizeof(file->name), "autotune-%s-%lu-%016" PRIx64 ".spool", s->host,
             (unsigned long) head->pid, head->unique);
    if (asprintf(&file->path, "%s/%lu/%s", s->path, (unsigned long) uid, file->name) < 0)
        file->path = NULL;
    file->fd = file->path != NULL ? create_file(s, file, uid, gid) : -1;
    if (file->fd >= 0) {
        u->used += LEAST;
        return file;
    }
    free(file->path);
    free(file);
    return NULL;
}

const char *stored_path(const stored *file)
{
    return file->path;
}

bool stored_append(stored *file, const char *bytes, size_t count)
{
    if (!has_room(file->store, file->user, count))
        return false;
    file->user->used += count;
    while (count > 0) {
        ssize_t done = pwrite(file->fd, bytes, count, (off_t) file->size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            say_of_user(file->user->uid, "%s: cannot be written: %m", file->path);
            return false;
        }
        file->size += (uint64_t) done;
        bytes += done;
        count -= (size_t) done;
    }
    return true;
}

bool stored_sync(stored *file)
{
    if (!file->store->sync || fdatasync(file->fd) == 0)
        return true;
    say_of_user(file->user->uid, "%s: cannot be brought to the disk: %m", file->path);
    return false;
}

void stored_close(stored *file, uint64_t size)
{
    if (size <= sizeof(atw_spool_head))
        unlinkat(file->user->folder, file->name, 0);
    else if (size < file->size && ftruncate(file->fd, (off_t) size) != 0)
        say_of_user(file->user->uid, "%s: cannot be cut: %m", file->path);
    close(file->fd);
    free(file->path);
    free(file);
}
