/*
 * autotune-collect: what the processes of a node do, and how busy the node is.
 *
 *     collect_options.c   the command line
 *     socket.c            the socket and its lock: one collector at a time
 *     server_run.c        starts and ends it
 *     server.c            the loop: connections, polls, signals
 *     connection.c        a process: what it sends, what is answered
 *     check.c             whether it is a spool, as it comes
 *     writer.c            the thread that writes, beside the one that listens
 *     store.c             files of users, and how much they have
 *     counters.c          texts of /proc, and what they count
 *     sources.c           where these texts are
 *     levels.c            samples, at five resolutions
 *     statistics.c        looks, one after the other
 *     statistics_file.c   statistics as JSON
 *     users.c             processes that say how they are, by user
 *     node.c              whether those of one are well, and at which level something is wrong
 *     neighbours.c        how other nodes are
 *     show.c              a client that asks for them
 *     importer.c          runs autotune history import
 *     lefts.c             what it may remove, or must move aside
 *     log.c               to stderr or the system's log
 */

#ifndef COLLECT_H
#define COLLECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The user who imports, if not the collector itself; else name is NULL. */
typedef struct collect_reader {
    const char *name, *home;
    uid_t uid;
    gid_t gid;
} collect_reader;

typedef struct collect_options {
    const char *socket; /* NULL: the usual place */
    const char *dir;
    uint64_t limit;     /* bytes of each user's spools */
    uint64_t keep_free; /* bytes of the disk */
    int import_every;   /* seconds; 0: never */
    const char *db, *import_as;
    collect_reader reader; /* import_as */
    const char *proc, *sys;
    bool no_sync, foreground, show, json;
    const char *system; /* folder of all nodes; NULL: there are no others */
} collect_options;

/* -1: go on; otherwise the exit code. */
int collect_options_read(int argc, char **argv, collect_options *options_p);

/* Both return an exit code. */
int collect_run(const collect_options *options);
int collect_show(const collect_options *options);

/* --- log.c */

/* Sends messages to the system's log instead of stderr from now on. */
void say_to_log(void);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What a user can cause is said ten times a minute at most, for each of them.  By any thread. */
void say_of_user(uid_t uid, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* COLLECT_H */
