/*
 * What a process and the collector of its node (site/collect) say to each other, on a Unix socket.
 *
 * A process sends a spool as it would write it to a file (formats/spool_blocks.h): head and blocks.
 * One that asks for statistics sends a head with another magic and nothing else.  One that reasons
 * (module_reasoner.c) sends, on a connection of its own, a head with a third magic, and its health
 * at the end of each cycle.  The collector sends words.  Numbers are in the byte order of the
 * machine, which both are on.
 */

#ifndef ATW_COLLECT_FORMAT_H
#define ATW_COLLECT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ATW_COLLECT_QUERY "ATWQUERY" /* in place of a spool's magic */
#define ATW_COLLECT_HEALTH "ATWHEALT"

/* Summary of a cycle; the numbers are those of atw_cycle (reasoner.h). */
typedef struct atw_health {
    uint64_t cycle; /* number */
    uint64_t judged, slow, very_slow, fast;
    uint32_t flags;
    uint32_t reserved;
} atw_health;

enum {
    ATW_HEALTH_STUCK = 1,
    ATW_HEALTH_IDLE = 2 /* nothing more comes until it does something */
};

typedef struct atw_collect_word {
    uint32_t what;
    uint32_t bytes; /* that follow this word */
    uint64_t safe;  /* bytes of the spool, from its head on, that are on the disk: whole blocks */
} atw_collect_word;

enum atw_collect_what {
    ATW_COLLECT_SPOOL = 1, /* follows: the path of the file.  Whoever has a lock on it (flock)
                              writes to it; if the collector has gone, the process may go on */
    ATW_COLLECT_SAFE = 2,
    ATW_COLLECT_FULL = 3,       /* no more: what is beyond safe is not kept */
    ATW_COLLECT_REFUSED = 4,    /* follows: why */
    ATW_COLLECT_STATISTICS = 5, /* follows: JSON text */
    ATW_COLLECT_SIGNAL = 6      /* safe: the level of the signal that the process is part of
                                   (atw_scope), 0 when it has ended */
};

enum {
    ATW_COLLECT_WORD_MOST = 4096,    /* bytes that follow a word to a process */
    ATW_COLLECT_BLOCK = 1 << 18,     /* bytes of activities in a block, as processes send them */
    ATW_COLLECT_BLOCK_MOST = 1 << 26 /* bytes of any block, as the collector takes them */
};

/* Where collectors listen, the nearest first: of the user, of the node.  false: no more. */
static inline bool atw_collect_place(unsigned which, char *path, size_t room)
{
    const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
    int length = -1;

    path[0] = '\0';
    if (which == 0 && runtime != NULL && runtime[0] == '/')
        length = snprintf(path, room, "%s/romio-autotune/collect.sock", runtime);
    else if (which == 1)
        length =
            snprintf(path, room, "/tmp/romio-autotune-%lu/collect.sock", (unsigned long) geteuid());
    else if (which == 2)
        length = snprintf(path, room, "/run/romio-autotune/collect.sock");
    if (length < 0 || (size_t) length >= room)
        path[0] = '\0';
    return which < 3;
}

/* Whether a socket at one of these places is root's or the user's, and nobody else can have put it
 * there: anybody can make folders and links in /tmp, also to sockets of services. */
static inline bool atw_collect_is_safe(const char *path)
{
    char folder[128];
    struct stat of_folder, of_socket;
    const char *slash = strrchr(path, '/');
    int length = slash != NULL ? (int) (slash - path) : 0;

    if (snprintf(folder, sizeof(folder), "%.*s", length, path) >= (int) sizeof(folder) ||
        lstat(folder, &of_folder) != 0 || lstat(path, &of_socket) != 0)
        return false;
    return S_ISDIR(of_folder.st_mode) && (of_folder.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           (of_folder.st_uid == 0 || of_folder.st_uid == geteuid()) &&
           S_ISSOCK(of_socket.st_mode) && (of_socket.st_uid == 0 || of_socket.st_uid == geteuid());
}

#endif /* ATW_COLLECT_FORMAT_H */
