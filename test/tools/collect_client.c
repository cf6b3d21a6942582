/*
 * A process that does to a collector what it should not, or writes a given number of blocks.
 *
 *     collect_client SOCKET CASE [NUMBER]
 *
 * It prints what the collector says, a word a line, until the collector closes the connection.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "formats/collector_socket.h"
#include "formats/spool_blocks.h"

static const char *path;

static int connect_it(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {60, 0};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (connect(fd, (struct sockaddr *) &address, sizeof(address)) != 0) {
        perror(path);
        exit(1);
    }
    return fd;
}

static void put(int fd, const void *bytes, size_t count)
{
    if (send(fd, bytes, count, MSG_NOSIGNAL) != (ssize_t) count)
        printf("not sent\n");
}

static void put_head(int fd, const char *magic, uint32_t uid)
{
    static uint64_t heads;
    atw_spool_head head = {.version = ATW_SPOOL_VERSION,
                           .order = ATW_SPOOL_ORDER,
                           .pid = (uint32_t) getpid(),
                           .uid = uid,
                           .rank = -1,
                           .unique = (uint64_t) getpid() * 1000003 + heads++};

    memcpy(head.magic, magic, sizeof(head.magic));
    put(fd, &head, sizeof(head));
}

static void put_block(int fd, uint32_t kind, uint64_t said, size_t bytes)
{
    static const char zeros[1 << 16];
    atw_spool_block block = {kind, 0, said};

    put(fd, &block, sizeof(block));
    put(fd, zeros, bytes);
}

static int receive(int fd, void *to, size_t count)
{
    return recv(fd, to, count, MSG_WAITALL) == (ssize_t) count;
}

static int print_words(int fd)
{
    static const char *const names[] = {"?", "spool", "safe", "full", "refused", "statistics"};
    atw_collect_word word;
    static char text[1 << 20];

    while (receive(fd, &word, sizeof(word)) && word.bytes < sizeof(text) &&
           receive(fd, text, word.bytes)) {
        text[word.bytes] = '\0';
        printf("%s %llu %s\n", names[word.what < 6 ? word.what : 0], (unsigned long long) word.safe,
               word.what == ATW_COLLECT_STATISTICS ? "" : text);
    }
    return 0;
}

static int query(int fd, long number)
{
    (void) number;
    put_head(fd, ATW_COLLECT_QUERY, 0);
    return print_words(fd);
}

static int garbage(int fd, long number)
{
    char bytes[8192];

    srandom((unsigned) number);
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char) (random() & 0xff);
    if (send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL) < 0)
        perror("send");
    return print_words(fd);
}

static int other_user(int fd, long number)
{
    put_head(fd, ATW_SPOOL_MAGIC, (uint32_t) number);
    return print_words(fd);
}

static int huge(int fd, long number)
{
    (void) number;
    put_head(fd, ATW_SPOOL_MAGIC, geteuid());
    put_block(fd, ATW_BLOCK_SURVEY, 8, 8);
    put_block(fd, ATW_BLOCK_ACTIVITIES, UINT64_MAX - 63, 64);
    return print_words(fd);
}

static int half(int fd, long number)
{
    (void) number;
    put_head(fd, ATW_SPOOL_MAGIC, geteuid());
    put_block(fd, ATW_BLOCK_SURVEY, 8, 8);
    put_block(fd, ATW_BLOCK_SURVEY, 1 << 16, 1000);
    shutdown(fd, SHUT_WR);
    return print_words(fd);
}

/* Blocks of 64 KiB, and an end. */
static int blocks(int fd, long number)
{
    put_head(fd, ATW_SPOOL_MAGIC, geteuid());
    for (long i = 0; i < number; i++)
        put_block(fd, ATW_BLOCK_ACTIVITIES, 1 << 16, 1 << 16);
    put_block(fd, ATW_BLOCK_END, 0, 0);
    return print_words(fd);
}

/* Small blocks, each of which is acknowledged, and nothing is read. */
static int deaf(int fd, long number)
{
    put_head(fd, ATW_SPOOL_MAGIC, geteuid());
    for (long i = 0; i < number; i++)
        put_block(fd, ATW_BLOCK_SURVEY, 8, 8);
    sleep(1);
    return 0;
}

/* Connections that ask and do not read, or say nothing. */
static int silent(int fd, long number)
{
    for (long i = 0; i < number; i++)
        if (i % 2 == 0)
            put_head(connect_it(), ATW_COLLECT_QUERY, 0);
        else
            put(connect_it(), "ATW", 3);
    sleep(2);
    close(fd);
    return 0;
}

/* How many spools at once are taken. */
static int spools(int fd, long number)
{
    long refused = 0;

    for (long i = 0; i < number; i++, fd = connect_it()) {
        atw_collect_word word = {.what = 0};

        put_head(fd, ATW_SPOOL_MAGIC, geteuid());
        refused += !receive(fd, &word, sizeof(word)) || word.what != ATW_COLLECT_SPOOL;
    }
    printf("%ld taken, %ld refused\n", number - refused, refused);
    return 0;
}

/* A process that says more than once how it is. */
static int votes(int fd, long number)
{
    char byte;

    put_head(fd, ATW_COLLECT_HEALTH, geteuid());
    for (long i = 1; i < number; i++) {
        int before = fd;

        fd = connect_it();
        put_head(fd, ATW_COLLECT_HEALTH, geteuid());
        if (recv(before, &byte, 1, 0) != 0)
            printf("another one is still there\n");
    }
    printf("%s\n", recv(fd, &byte, 1, MSG_DONTWAIT) < 0 ? "one vote" : "none");
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int fd, long number);
} cases[] = {{"query", query}, {"garbage", garbage}, {"other-user", other_user},
             {"huge", huge},   {"half", half},       {"blocks", blocks},
             {"deaf", deaf},   {"silent", silent},   {"spools", spools},
             {"votes", votes}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 2 && i < sizeof(cases) / sizeof(cases[0]); i++)
        if (strcmp(argv[2], cases[i].name) == 0) {
            path = argv[1];
            return cases[i].run(connect_it(), argc > 3 ? atol(argv[3]) : 0);
        }
    fprintf(stderr, "usage: collect_client SOCKET CASE [NUMBER]\n");
    return 2;
}
