/*
 * The time of one call: where its bytes lie, when the OSTs and the node's link
 * are done with them, and sleeping until then.
 */

#include "standin.h"
#include "standin_time.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* --- settings */

static bool read_number(const char *text, double *number_p)
{
    char *end;
    double number = strtod(text, &end);

    if (end == text || *end != '\0' || !(number >= 0 && number <= 1e12))
        return false;
    *number_p = number;
    return true;
}

/* 1 MB/s is a byte each 1000 ns. */
static double ns_of_byte(double rate)
{
    return rate > 0 ? 1e3 / rate : 0;
}

static bool set_ost(const char *which, double rate, struct standin_times *times)
{
    char *end;
    unsigned long ost = strtoul(which, &end, 10);

    if (*which == '\0') {
        for (int i = 0; i < STANDIN_TIME_OSTS; i++)
            times->ost_ns[i] = ns_of_byte(rate);
        return true;
    }
    if (*which < '0' || *which > '9' || *end != '\0' || ost >= STANDIN_TIME_OSTS)
        return false;
    times->ost_ns[ost] = ns_of_byte(rate);
    return true;
}

static bool set(const char *name, double value, struct standin_times *times)
{
    if (strncmp(name, "ost", 3) == 0)
        return set_ost(name + 3, value, times);
    if (strcmp(name, "node") == 0)
        times->node_ns = ns_of_byte(value);
    else if (strcmp(name, "latency") == 0)
        times->latency = (uint64_t) (1e3 * value);
    else if (strcmp(name, "lock") == 0)
        times->lock = (uint64_t) (1e3 * value);
    else if (strcmp(name, "cache") == 0)
        times->cache = 1e6 * value;
    else
        return false;
    return true;
}

const char *standin_times_read(const char *text, struct standin_times *times)
{
    char copy[4096], *rest = copy, *entry;

    if (strlen(text) >= sizeof copy)
        return "too long";
    strcpy(copy, text);
    while ((entry = strsep(&rest, ","))) {
        char *colon = strchr(entry, ':');
        double value;

        if (!colon || !read_number(colon + 1, &value))
            return "not NAME:NUMBER[,NAME:NUMBER...]";
        *colon = '\0';
        if (!set(entry, value, times))
            return "a name is not ost, ost0 to ost255, node, latency, lock or cache";
    }
    return NULL;
}

/* --- what this process shares with others */

static struct standin_shared *shared; /* NULL: calls take no time */
static int own_node;

static void complain(const char *problem)
{
    fprintf(stderr, "standin: %s/%s: %s; calls take no time\n", standin_lustre_root(),
            STANDIN_TIME_FILE, problem);
}

static const char *node_name(char *buffer, size_t size)
{
    const char *name = getenv("STANDIN_NODE");

    if (name && *name)
        return name;
    if (NEXT(gethostname)(buffer, size) || buffer[0] == '\0')
        strcpy(buffer, "?");
    return buffer;
}

static void attach(void)
{
    char path[PATH_MAX], name[STANDIN_NODE_NAME] = "";
    struct standin_shared *mapped;
    int fd, err;

    snprintf(path, sizeof path, "%s/%s", standin_lustre_root(), STANDIN_TIME_FILE);
    fd = NEXT(openat)(AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    err = fd < 0 ? errno : standin_shared_map(fd, standin_config()->ost_count, &mapped);
    if (err) {
        complain(strerror(err));
    } else {
        own_node = standin_node_find(fd, mapped, node_name(name, sizeof name - 1));
        if (own_node < 0)
            complain("too many nodes");
        else
            shared = mapped;
    }
    if (fd >= 0)
        NEXT(close)(fd);
}

static bool is_attached(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, attach);
    return shared != NULL;
}

/* --- queues */

static struct standin_object *find_object(struct standin_ost *ost, uint64_t file, uint32_t stripe)
{
    struct standin_object *oldest = ost->objects;

    for (int i = 0; i < STANDIN_OBJECTS; i++) {
        struct standin_object *object = &ost->objects[i];

        if (object->file == file && object->stripe == stripe)
            return object;
        if (object->used < oldest->used)
            oldest = object;
    }
    oldest->file = file;
    oldest->stripe = stripe;
    oldest->count = 0;
    return oldest;
}

struct request {
    uint64_t file;
    uint32_t stripe;
    unsigned ost;
    bool write;
    uint64_t start, end; /* bytes of the object */
};

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

/* One request after the other, its overhead and its bytes.  Through a cache, overheads follow each
 * other, and the bytes of writes go to the disk later: a write ends when no more than fits in the
 * cache is left before it.  Reads do not wait for these. */
static uint64_t serve(struct standin_ost *ost, bool write, uint64_t now, double overhead,
                      double disk, double cache)
{
    uint64_t taken;

    if (cache == 0)
        return ost->free_at = later(ost->free_at, now) + (uint64_t) (overhead + disk);
    taken = ost->taken_at = later(ost->taken_at, now) + (uint64_t) overhead;
    ost->free_at = later(ost->free_at, taken) + (uint64_t) disk;
    if (!write)
        return taken + (uint64_t) disk;
    return ost->free_at > taken + (uint64_t) cache ? ost->free_at - (uint64_t) cache : taken;
}

/* When the OST is done with it. */
static uint64_t queue_at_ost(const struct request *request, uint64_t now)
{
    const struct standin_times *times = standin_config()->times;
    struct standin_ost *ost = &shared->osts[request->ost];
    double load = (double) atomic_load(&ost->load) / STANDIN_LOAD_1;
    double a_byte = load * times->ost_ns[request->ost], overhead;
    uint64_t bytes = request->end - request->start, done;
    struct standin_object *object;
    unsigned transfers;
    bool granted;

    standin_ost_enter(ost);
    object = find_object(ost, request->file, request->stripe);
    object->used = now;
    transfers = standin_lock(object, (uint32_t) own_node, request->write, request->start,
                             request->end, &granted);
    overhead = load * (double) times->latency + (double) (transfers * times->lock);
    done =
        serve(ost, request->write, now, overhead, a_byte * (double) bytes, a_byte * times->cache);
    ost->counters.requests++;
    *(request->write ? &ost->counters.written : &ost->counters.read) += bytes;
    ost->counters.grants += granted;
    ost->counters.transfers += transfers;
    ost->counters.busy += (uint64_t) (overhead + a_byte * (double) bytes);
    standin_ost_leave(ost);
    return done;
}

static uint64_t queue_at_link(uint64_t bytes, uint64_t now)
{
    struct standin_node *node = &shared->nodes[own_node];
    uint64_t takes = (uint64_t) (standin_config()->times->node_ns * (double) bytes);
    uint64_t free_at = atomic_load(&node->free_at), done;

    do
        done = (free_at > now ? free_at : now) + takes;
    while (!atomic_compare_exchange_weak(&node->free_at, &free_at, done));
    atomic_fetch_add(&node->bytes, bytes);
    return done;
}

/* --- one call */

/* Bytes of the object of STRIPE that lie before OFFSET in the file. */
static uint64_t object_offset(const struct standin_layout *layout, unsigned stripe, uint64_t offset)
{
    uint64_t size = layout->stripe_size, turn = size * layout->stripe_count;
    uint64_t inside = offset % turn, first = stripe * size;
    uint64_t part = inside <= first ? 0 : inside - first < size ? inside - first : size;

    return offset / turn * size + part;
}

static uint64_t queue_call(const struct standin_layout *layout, uint64_t inode, bool write,
                           uint64_t at, uint64_t size)
{
    uint64_t now = standin_now(), done = queue_at_link(size, now);

    for (unsigned i = 0; i < layout->stripe_count; i++) {
        struct request request = {.file = layout->id ? layout->id : inode,
                                  .stripe = i,
                                  .ost = layout->ost[i] % shared->ost_count,
                                  .write = write,
                                  .start = object_offset(layout, i, at),
                                  .end = object_offset(layout, i, at + size)};
        if (request.end > request.start) {
            uint64_t one = queue_at_ost(&request, now);
            done = one > done ? one : done;
        }
    }
    return done;
}

/* Descriptors known to be outside of every Lustre tree; one may always be
 * unknown, it only costs time. */
static atomic_bool outside[4096];

void standin_time_forget(int fd)
{
    if (fd >= 0 && fd < (int) (sizeof outside / sizeof outside[0]))
        atomic_store_explicit(&outside[fd], false, memory_order_relaxed);
}

static bool is_outside(int fd)
{
    bool cached = fd >= 0 && fd < (int) (sizeof outside / sizeof outside[0]);

    if (cached && atomic_load_explicit(&outside[fd], memory_order_relaxed))
        return true;
    if (fd >= 0 && standin_fs_of_fd(fd) == STANDIN_LUSTRE)
        return false;
    if (cached)
        atomic_store_explicit(&outside[fd], true, memory_order_relaxed);
    return true;
}

/* When the disks of the file have all that came so far, of whatever file. */
static uint64_t drained(const struct standin_layout *layout)
{
    uint64_t done = 0;

    for (unsigned i = 0; i < layout->stripe_count; i++) {
        struct standin_ost *ost = &shared->osts[layout->ost[i] % shared->ost_count];

        standin_ost_enter(ost);
        done = later(done, ost->free_at);
        standin_ost_leave(ost);
    }
    return done;
}

static uint64_t begin(int fd, bool write, off_t at, size_t size)
{
    struct standin_layout layout;
    uint64_t inode;
    struct stat st;

    if (at < 0)
        at = lseek(fd, 0, SEEK_CUR);
    if (at < 0 || NEXT(fstat)(fd, &st) || !S_ISREG(st.st_mode))
        return 0;
    if (write && (fcntl(fd, F_GETFL) & O_APPEND))
        at = st.st_size;
    if (!write && (uint64_t) at + size > (uint64_t) st.st_size)
        size = at < st.st_size ? (size_t) (st.st_size - at) : 0;
    if (size == 0 || standin_lustre_get(fd, &layout, &inode) || !is_attached())
        return 0;
    return queue_call(&layout, inode, write, (uint64_t) at, size);
}

uint64_t standin_time_begin(int fd, bool write, off_t at, size_t size)
{
    int saved_errno = errno;
    uint64_t done;

    if (!standin_config()->times || is_outside(fd))
        return 0;
    done = begin(fd, write, at, size);
    errno = saved_errno;
    return done;
}

uint64_t standin_time_sync(int fd)
{
    int saved_errno = errno;
    struct standin_layout layout;
    uint64_t inode, done = 0;

    if (standin_config()->times && !is_outside(fd) &&
        standin_lustre_get(fd, &layout, &inode) == 0 && is_attached())
        done = drained(&layout);
    errno = saved_errno;
    return done;
}

void standin_time_end(uint64_t done)
{
    struct timespec until = {.tv_sec = (time_t) (done / 1000000000),
                             .tv_nsec = (long) (done % 1000000000)};

    if (done != 0)
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
            ;
}

size_t standin_time_bytes(const struct iovec *v, int n)
{
    size_t bytes = 0;

    for (int i = 0; i < n; i++)
        bytes += v[i].iov_len;
    return bytes;
}

/* --- the node's name */

int gethostname(char *name, size_t size)
{
    const char *shown = getenv("STANDIN_NODE");

    if (!shown || !*shown)
        return NEXT(gethostname)(name, size);
    if (size == 0 || strlen(shown) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(name, shown);
    return 0;
}
