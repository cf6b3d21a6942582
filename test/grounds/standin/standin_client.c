/*
 * Which processes are one client of Lustre, and whether it holds a file open for
 * writing.  The kernel is asked, through /proc, so that dup, fork, exec and
 * processes that are killed need no care of their own.
 *
 * Clients are told apart by the names in the environment that a process was
 * started with: STANDIN_CLIENT, else STANDIN_NODE, else all of a machine are one.
 */

#include "standin.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CLIENT_NAME 256
#define HIGH_DESCRIPTOR 500
#define OWN "own" /* a name that no two processes share */

/* --- one at a time --- */

/* The descriptor is out of the way of the program's, which get the lowest numbers. */
static int open_gate(void)
{
    int gate = NEXT(open)(standin_lustre_root(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int high = gate < 0 ? -1 : fcntl(gate, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);

    if (high < 0)
        return gate;
    standin_close_path(gate);
    return high;
}

/* The lock ends with its holder. */
int standin_gate_enter(void)
{
    int saved_errno = errno;
    int gate = open_gate();

    while (gate >= 0 && flock(gate, LOCK_EX) && errno == EINTR)
        ;
    errno = saved_errno;
    return gate;
}

void standin_gate_leave(int gate)
{
    if (gate >= 0)
        standin_close_path(gate);
}

/* --- clients --- */

static void name_client(const char *client, const char *node, char *name)
{
    snprintf(name, CLIENT_NAME, "%s", client[0] ? client : node);
}

static void name_own_client(char *name)
{
    const char *client = getenv("STANDIN_CLIENT"), *node = getenv("STANDIN_NODE");

    name_client(client ? client : "", node ? node : "", name);
}

/* FNV-1a */
uint32_t standin_client(void)
{
    char name[CLIENT_NAME];
    uint32_t number = 2166136261u;

    name_own_client(name);
    if (name[0] == '\0')
        return 0;
    if (strcmp(name, OWN) == 0)
        snprintf(name, sizeof name, "own %ld", (long) getpid());
    for (const char *at = name; *at; at++)
        number = (number ^ (unsigned char) *at) * 16777619u;
    return number ? number : 1;
}

/* Reads by stdio, which the stand-in does not see. */
static void name_client_of(const char *pid, char *name)
{
    char path[64], client[CLIENT_NAME] = "", node[CLIENT_NAME] = "", *line = NULL;
    size_t room = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    file = fopen(path, "re");
    while (file && getdelim(&line, &room, '\0', file) > 0) {
        if (strncmp(line, "STANDIN_CLIENT=", 15) == 0)
            snprintf(client, sizeof client, "%s", line + 15);
        else if (strncmp(line, "STANDIN_NODE=", 13) == 0)
            snprintf(node, sizeof node, "%s", line + 13);
    }
    free(line);
    if (file)
        fclose(file);
    name_client(client, node, name);
}

static bool is_same_client(const char *pid)
{
    char own[CLIENT_NAME], other[CLIENT_NAME];

    if (strtol(pid, NULL, 10) == getpid())
        return true;
    name_own_client(own);
    name_client_of(pid, other);
    return strcmp(own, OWN) != 0 && strcmp(own, other) == 0;
}

/* --- what they hold --- */

static bool is_open_for_writing(const char *pid, const char *fd)
{
    char path[64], line[128];
    unsigned flags = O_RDONLY;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%.20s/fdinfo/%.20s", pid, fd);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "flags: %o", &flags) == 1)
            break;
    if (file)
        fclose(file);
    return (flags & O_ACCMODE) != O_RDONLY;
}

static bool process_writes(const char *pid, const struct stat *file)
{
    struct dirent *entry;
    struct stat st;
    bool writes = false;
    char path[64];
    DIR *fds;

    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    fds = opendir(path);
    while (fds && !writes && (entry = readdir(fds)))
        writes = isdigit((unsigned char) entry->d_name[0]) &&
                 NEXT(fstatat)(dirfd(fds), entry->d_name, &st, 0) == 0 &&
                 st.st_ino == file->st_ino && st.st_dev == file->st_dev &&
                 is_open_for_writing(pid, entry->d_name);
    if (fds)
        closedir(fds);
    return writes;
}

bool standin_client_writes(int dirfd, const char *path)
{
    int saved_errno = errno;
    struct dirent *entry;
    struct stat file;
    bool writes = false;
    DIR *proc;

    if (NEXT(fstatat)(dirfd, path, &file, 0) == 0 && (proc = opendir("/proc"))) {
        while (!writes && (entry = readdir(proc)))
            writes = isdigit((unsigned char) entry->d_name[0]) &&
                     process_writes(entry->d_name, &file) && is_same_client(entry->d_name);
        closedir(proc);
    }
    errno = saved_errno;
    return writes;
}
