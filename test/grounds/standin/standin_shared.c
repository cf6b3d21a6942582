/*
 * The file that processes share: made by the first of them under a lock of the
 * kernel's, which ends with its holder, and then used through robust mutexes
 * and atomics.  Whoever is killed in between leaves nobody waiting.
 */

#include "standin_time.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

uint64_t standin_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* Reads by stdio, which the stand-in does not see: it must not get in its own way.  Times of
 * another boot mean nothing. */
static void tell_apart(unsigned osts, char *text, size_t size)
{
    char boot[40] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

    if (file) {
        if (!fgets(boot, 37, file))
            boot[0] = '\0';
        fclose(file);
    }
    snprintf(text, size, "standin 1 %u %zu %s", osts, sizeof(struct standin_ost), boot);
}

static size_t bytes_for(unsigned osts)
{
    return sizeof(struct standin_shared) + osts * sizeof(struct standin_ost);
}

static int make(int fd, unsigned osts, const char *made_for)
{
    struct standin_shared *shared;
    pthread_mutexattr_t attributes;

    if (ftruncate(fd, 0) || ftruncate(fd, (off_t) bytes_for(osts)))
        return errno;
    shared = mmap(NULL, bytes_for(osts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED)
        return errno;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    for (unsigned i = 0; i < osts; i++) {
        pthread_mutex_init(&shared->osts[i].mutex, &attributes);
        shared->osts[i].load = STANDIN_LOAD_1;
    }
    pthread_mutexattr_destroy(&attributes);
    shared->ost_count = osts;
    snprintf(shared->made_for, sizeof shared->made_for, "%s", made_for);
    munmap(shared, bytes_for(osts));
    return 0;
}

/* The OSTs of a file of this boot, or 0. */
static unsigned made_osts(int fd)
{
    struct standin_shared *head;
    char expected[sizeof head->made_for];
    struct stat st;
    unsigned osts;

    if (fstat(fd, &st) || (size_t) st.st_size < sizeof *head)
        return 0;
    head = mmap(NULL, sizeof *head, PROT_READ, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED)
        return 0;
    osts = head->ost_count;
    tell_apart(osts, expected, sizeof expected);
    if (strncmp(head->made_for, expected, sizeof expected) != 0 ||
        (size_t) st.st_size != bytes_for(osts))
        osts = 0;
    munmap(head, sizeof *head);
    return osts;
}

static int map_made(int fd, unsigned osts, struct standin_shared **shared_p)
{
    char made_for[sizeof(*shared_p)->made_for];
    unsigned found = made_osts(fd);
    void *mapped;

    if (osts == 0 && found == 0)
        return ENODATA;
    if (osts != 0 && found != osts) {
        tell_apart(osts, made_for, sizeof made_for);
        int err = make(fd, osts, made_for);
        if (err)
            return err;
        found = osts;
    }
    mapped = mmap(NULL, bytes_for(found), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        return errno;
    *shared_p = mapped;
    return 0;
}

static void lock_file(int fd, int how)
{
    while (flock(fd, how) && errno == EINTR)
        ;
}

int standin_shared_map(int fd, unsigned osts, struct standin_shared **shared_p)
{
    int err;

    lock_file(fd, LOCK_EX);
    err = map_made(fd, osts, shared_p);
    lock_file(fd, LOCK_UN);
    return err;
}

int standin_node_find(int fd, struct standin_shared *shared, const char *name)
{
    int found = -1;

    lock_file(fd, LOCK_EX);
    for (int i = 0; i < STANDIN_NODES && found < 0; i++) {
        struct standin_node *node = &shared->nodes[i];

        if (node->name[0] == '\0')
            snprintf(node->name, sizeof node->name, "%s", name);
        if (strncmp(node->name, name, sizeof node->name - 1) == 0)
            found = i;
    }
    lock_file(fd, LOCK_UN);
    return found;
}

void standin_ost_enter(struct standin_ost *ost)
{
    if (pthread_mutex_lock(&ost->mutex) != EOWNERDEAD)
        return;
    for (int i = 0; i < STANDIN_OBJECTS; i++)
        ost->objects[i].file = ost->objects[i].count = 0;
    pthread_mutex_consistent(&ost->mutex);
}

void standin_ost_leave(struct standin_ost *ost)
{
    pthread_mutex_unlock(&ost->mutex);
}
