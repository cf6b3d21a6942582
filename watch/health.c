#include "health.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "to_collector.h"
#include "process_facts.h"
#include "spool.h"

static int fd = -1;
static dev_t device;
static ino_t inode;
static char word[sizeof(atw_collect_word)];
static size_t word_length;

int atw_health_descriptor(void)
{
    return fd;
}

/* The program may have closed it, and have another of that number. */
static bool is_same(void)
{
    struct stat what;

    return fd >= 0 && fstat(fd, &what) == 0 && what.st_dev == device && what.st_ino == inode;
}

void atw_health_close(void)
{
    if (is_same())
        syscall(SYS_close, fd);
    fd = -1;
    word_length = 0;
}

static bool send_all(const void *bytes, size_t count)
{
    long done;

    do
        done = syscall(SYS_sendto, fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    while (done < 0 && errno == EINTR);
    return done == (long) count || (done < 0 && errno == EAGAIN);
}

void atw_health_open(const char *socket)
{
    atw_spool_head head;
    struct stat what;
    int rank, ranks;

    fd = atw_collect_connect(socket);
    if (fd < 0)
        return;
    if (fstat(fd, &what) == 0) {
        device = what.st_dev;
        inode = what.st_ino;
    }
    atw_facts_rank(&rank, &ranks);
    head = atw_spool_head_new(rank, ranks);
    memcpy(head.magic, ATW_COLLECT_HEALTH, sizeof(head.magic));
    if (!send_all(&head, sizeof(head)))
        atw_health_close();
}

void atw_health_send(const atw_health *health)
{
    if (fd >= 0 && (!is_same() || !send_all(health, sizeof(*health))))
        atw_health_close();
}

bool atw_health_heard(uint32_t *level_p)
{
    bool heard = false;

    while (is_same()) {
        long got = syscall(SYS_recvfrom, fd, word + word_length, sizeof(word) - word_length,
                           MSG_DONTWAIT, NULL, NULL);
        atw_collect_word whole;

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            break;
        word_length += got > 0 ? (size_t) got : 0;
        memcpy(&whole, word, sizeof(whole));
        if (got <= 0 || (word_length == sizeof(word) && whole.what != ATW_COLLECT_SIGNAL)) {
            atw_health_close();
            break;
        }
        if (word_length < sizeof(word))
            continue;
        word_length = 0;
        heard = true;
        *level_p = (uint32_t) whole.safe;
    }
    return heard;
}
