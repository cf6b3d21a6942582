#include "sources.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT = 1 << 18, FILES_MOST = 32, SEARCH_EVERY = 10, NAMES_MOST = 256 };

/* A file of a mount or port, with the name that its counters go by. */
typedef struct opened {
    int fd;
    char name[ITEM_NAME];
} opened;

/* Whether a device counts, remembered: looking in /sys ten times a second costs more than the
 * counters do. */
typedef struct known {
    char name[ITEM_NAME];
    bool counts;
} known;

typedef struct known_list {
    size_t count;
    known names[NAMES_MOST];
} known_list;

struct sources {
    const char *proc, *sys;
    int stat, meminfo, net, disks, nfs;
    size_t lustre_count, port_count;
    opened lustre[FILES_MOST];
    opened ports[2 * FILES_MOST]; /* of Infiniband: received and sent, in turn */
    double capacity, searched;
    bool has_searched, any_network; /* no device is real: all count */
    known_list networks, blocks;
    char text[TEXT];
};

/* --- files */

static int open_below(const char *folder, const char *name)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int) sizeof(path))
        return -1;
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Reads a file from its start; "" if it cannot be read. */
static const char *text_of(sources *s, int fd)
{
    size_t length = 0;
    ssize_t got = 1;

    while (fd >= 0 && got > 0 && length < sizeof(s->text) - 1) {
        got = pread(fd, s->text + length, sizeof(s->text) - 1 - length, (off_t) length);
        if (got > 0)
            length += (size_t) got;
    }
    s->text[length] = '\0';
    return s->text;
}

static const char *text_at(sources *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const char *text = text_of(s, fd);

    if (fd >= 0)
        close(fd);
    return text;
}

static void close_all(opened *files, size_t *count)
{
    while (*count > 0)
        close(files[--*count].fd);
}

/* Opens files that match, each named by its ancestor `above` levels up. */
static void open_matching(const char *folder, const char *pattern, int above, size_t most,
                          opened *files, size_t *count)
{
    char path[PATH_MAX];
    glob_t found;

    snprintf(path, sizeof(path), "%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc && *count < most; i++) {
        char *name = found.gl_pathv[i];
        int fd = open(name, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            continue;
        for (int k = 0; k < above; k++)
            *strrchr(name, '/') = '\0';
        files[*count].fd = fd;
        snprintf(files[*count].name, ITEM_NAME, "%s", strrchr(name, '/') + 1);
        ++*count;
    }
    globfree(&found);
}

/* --- devices */

static bool is_there(const char *sys, const char *class, const char *name)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/%s/%s/device", sys, class, name) < (int) sizeof(path) &&
           access(path, F_OK) == 0;
}

static bool counts(const char *sys, const char *class, known_list *list, const char *name)
{
    bool is_real;

    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i].name, name) == 0)
            return list->names[i].counts;
    is_real = is_there(sys, class, name);
    if (list->count < NAMES_MOST) {
        snprintf(list->names[list->count].name, ITEM_NAME, "%s", name);
        list->names[list->count++].counts = is_real;
    }
    return is_real;
}

/* Bridges, tunnels and the like pass on what real ones send; ports of Infiniband are counted
 * below IP. */
static bool wanted_network(const char *name, void *context)
{
    sources *s = context;

    if (strcmp(name, "lo") == 0 || (s->port_count > 0 && strncmp(name, "ib", 2) == 0))
        return false;
    return s->any_network || counts(s->sys, "class/net", &s->networks, name);
}

/* Partitions, loops and mappings stand for disks. */
static bool wanted_disk(const char *name, void *context)
{
    sources *s = context;

    return counts(s->sys, "block", &s->blocks, name);
}

/* --- what comes and goes */

static double port_capacity(sources *s)
{
    glob_t found;
    char path[PATH_MAX];
    double sum = 0, gigabits;

    snprintf(path, sizeof(path), "%s/class/infiniband/*/ports/*/rate", s->sys);
    if (glob(path, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (sscanf(text_at(s, found.gl_pathv[i]), "%lf", &gigabits) == 1 && gigabits > 0)
            sum += gigabits * 125e6;
    globfree(&found);
    return sum;
}

/* Bytes per second of all adapters that count; 0 if the speed of one in use is unknown. */
static double network_capacity(sources *s)
{
    item_list list = {.count = 0};
    double sum = port_capacity(s);

    counters_net(text_of(s, s->net), wanted_network, s, &list);
    for (size_t i = 0; i < list.count; i++) {
        char path[PATH_MAX];
        long megabits = 0;

        snprintf(path, sizeof(path), "%s/class/net/%s/speed", s->sys, list.items[i].name);
        if (sscanf(text_at(s, path), "%ld", &megabits) == 1 && megabits > 0)
            sum += (double) megabits * 125e3;
        else if (list.items[i].in + list.items[i].out > 0)
            return 0;
    }
    return sum;
}

static void search(sources *s)
{
    item_list list = {.count = 0};

    s->networks.count = s->blocks.count = 0;
    close_all(s->lustre, &s->lustre_count);
    open_matching(s->proc, "fs/lustre/llite/*/stats", 1, FILES_MOST, s->lustre, &s->lustre_count);
    if (s->lustre_count == 0)
        open_matching(s->sys, "kernel/debug/lustre/llite/*/stats", 1, FILES_MOST, s->lustre,
                      &s->lustre_count);
    close_all(s->ports, &s->port_count);
    open_matching(s->sys, "class/infiniband/*/ports/*/counters/port_rcv_data", 4, FILES_MOST,
                  s->ports, &s->port_count);
    open_matching(s->sys, "class/infiniband/*/ports/*/counters/port_xmit_data", 4,
                  2 * s->port_count, s->ports, &s->port_count);
    s->any_network = false;
    counters_net(text_of(s, s->net), wanted_network, s, &list);
    s->any_network = list.count == 0 && s->port_count == 0;
    s->capacity = network_capacity(s);
}

/* --- looks */

static void look_at_ports(sources *s, item_list *list)
{
    for (size_t i = 0; i < s->port_count; i++) {
        uint64_t words = strtoull(text_of(s, s->ports[i].fd), NULL, 10);
        bool is_sent = i >= s->port_count / 2;

        counters_add(list, s->ports[i].name, is_sent ? 0 : 4 * words, is_sent ? 4 * words : 0, 0);
    }
}

void sources_look(sources *s, double now, look *look_p)
{
    if (!s->has_searched || now - s->searched >= SEARCH_EVERY) {
        s->has_searched = true;
        s->searched = now;
        search(s);
    }
    memset(look_p, 0, sizeof(*look_p));
    counters_stat(text_of(s, s->stat), look_p);
    counters_meminfo(text_of(s, s->meminfo), look_p);
    look_at_ports(s, &look_p->lists[ITEM_NETWORK]);
    counters_net(text_of(s, s->net), wanted_network, s, &look_p->lists[ITEM_NETWORK]);
    counters_disks(text_of(s, s->disks), wanted_disk, s, &look_p->lists[ITEM_DISK]);
    counters_nfs(text_of(s, s->nfs), &look_p->lists[ITEM_NFS]);
    for (size_t i = 0; i < s->lustre_count; i++)
        counters_lustre(text_of(s, s->lustre[i].fd), s->lustre[i].name,
                        &look_p->lists[ITEM_LUSTRE]);
    look_p->network_capacity = s->capacity;
}

sources *sources_open(const char *proc, const char *sys)
{
    sources *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->proc = proc;
    s->sys = sys;
    s->stat = open_below(proc, "stat");
    s->meminfo = open_below(proc, "meminfo");
    s->net = open_below(proc, "net/dev");
    s->disks = open_below(proc, "diskstats");
    s->nfs = open_below(proc, "self/mountstats");
    return s;
}

void sources_close(sources *s)
{
    if (s == NULL)
        return;
    close_all(s->lustre, &s->lustre_count);
    close_all(s->ports, &s->port_count);
    for (int i = 0; i < 5; i++) {
        int fd = (int[]){s->stat, s->meminfo, s->net, s->disks, s->nfs}[i];

        if (fd >= 0)
            close(fd);
    }
    free(s);
}
