#include "counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

/* Slower than this is not a full load, even if nothing faster was seen. */
#define LEAST_PEAK 125e6

#define X(name, text) text,
const char *const sample_names[SAMPLE_COUNT] = {SAMPLE_VALUES};
#undef X

/* --- lines and words */

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end != NULL ? end + 1 : line + strlen(line);
}

/* The numbers from text to the end of its line; those that are not there are 0. */
static size_t numbers(const char *text, uint64_t *numbers_p, size_t most)
{
    size_t count = 0;

    memset(numbers_p, 0, most * sizeof(*numbers_p));
    while (count < most) {
        char *end;

        text += strspn(text, " \t");
        if (*text < '0' || *text > '9')
            break;
        numbers_p[count++] = strtoull(text, &end, 10);
        text = end;
    }
    return count;
}

void counters_add(item_list *list, const char *name, uint64_t in, uint64_t out, uint64_t busy)
{
    item *at = list->items;

    while (at < list->items + list->count && strcmp(at->name, name) != 0)
        at++;
    if (at == list->items + ITEMS_MOST)
        return;
    if (at == list->items + list->count) {
        list->count++;
        *at = (item){.in = 0};
        snprintf(at->name, sizeof(at->name), "%s", name);
    }
    at->in += in;
    at->out += out;
    at->busy += busy;
}

/* --- processors and memory */

void counters_stat(const char *text, look *look)
{
    enum { USER, NICE, SYSTEM, IDLE, WAIT, IRQ, SOFTIRQ, STOLEN, COUNT };
    uint64_t ticks[COUNT];

    if (strncmp(text, "cpu ", 4) != 0 || numbers(text + 4, ticks, COUNT) < 4)
        return;
    look->cpu_busy =
        ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ] + ticks[STOLEN];
    look->cpu_wait = ticks[WAIT];
    look->cpu_all = look->cpu_busy + ticks[IDLE] + ticks[WAIT];
}

static void kilobytes(const char *line, const char *name, uint64_t *bytes_p)
{
    size_t length = strlen(name);
    uint64_t number;

    if (strncmp(line, name, length) == 0 && line[length] == ':' &&
        numbers(line + length + 1, &number, 1) == 1)
        *bytes_p = number * 1024;
}

void counters_meminfo(const char *text, look *look)
{
    for (; *text != '\0'; text = next_line(text)) {
        kilobytes(text, "MemTotal", &look->memory_total);
        kilobytes(text, "MemAvailable", &look->memory_available);
        kilobytes(text, "Dirty", &look->memory_dirty);
    }
}

/* --- devices */

void counters_net(const char *text, counters_wanted *wanted, void *context, item_list *list)
{
    enum { RECEIVED = 0, SENT = 8, COUNT };

    for (; *text != '\0'; text = next_line(text)) {
        char name[ITEM_NAME];
        uint64_t counts[COUNT];
        int length = 0;

        if (sscanf(text, " %63[^:\n]:%n", name, &length) == 1 && length > 0 &&
            numbers(text + length, counts, COUNT) == COUNT && wanted(name, context))
            counters_add(list, name, counts[RECEIVED], counts[SENT], 0);
    }
}

void counters_disks(const char *text, counters_wanted *wanted, void *context, item_list *list)
{
    enum { SECTORS_READ = 2, SECTORS_WRITTEN = 6, BUSY = 9, COUNT };

    for (; *text != '\0'; text = next_line(text)) {
        char name[ITEM_NAME];
        uint64_t counts[COUNT];
        int length = 0;

        if (sscanf(text, "%*u %*u %63s%n", name, &length) == 1 && length > 0 &&
            numbers(text + length, counts, COUNT) == COUNT && wanted(name, context))
            counters_add(list, name, counts[SECTORS_READ] * SECTOR,
                         counts[SECTORS_WRITTEN] * SECTOR, counts[BUSY]);
    }
}

/* --- file systems */

/* "device SERVER:/PATH mounted on PATH with fstype nfs4 ..." before the numbers of a mount.  One
 * that is mounted twice counts for both: the first is taken. */
void counters_nfs(const char *text, item_list *list)
{
    enum { SERVER_READ = 4, SERVER_WRITTEN, COUNT };
    char name[ITEM_NAME] = "";

    for (; *text != '\0'; text = next_line(text)) {
        const char *words = text + strspn(text, " \t");
        uint64_t counts[COUNT];

        if (strncmp(words, "device ", 7) == 0) {
            const char *type = strstr(words, " with fstype nfs");

            name[0] = '\0';
            if (type != NULL && type < next_line(text))
                sscanf(words, "device %63s", name);
            for (size_t i = 0; i < list->count; i++)
                if (strcmp(list->items[i].name, name) == 0)
                    name[0] = '\0';
        } else if (strncmp(words, "bytes:", 6) == 0 && name[0] != '\0' &&
                   numbers(words + 6, counts, COUNT) == COUNT) {
            counters_add(list, name, counts[SERVER_READ], counts[SERVER_WRITTEN], 0);
        }
    }
}

/* "read_bytes 12 samples [bytes] 4096 1048576 5242880 ..." */
void counters_lustre(const char *text, const char *name, item_list *list)
{
    uint64_t sums[2] = {0, 0};
    static const char *const words[2] = {"read_bytes", "write_bytes"};

    for (; *text != '\0'; text = next_line(text))
        for (int i = 0; i < 2; i++) {
            size_t length = strlen(words[i]);
            uint64_t sum;

            if (strncmp(text, words[i], length) == 0 && text[length] == ' ' &&
                sscanf(text + length, "%*u samples [%*[a-z]] %*u %*u %" SCNu64, &sum) == 1)
                sums[i] = sum;
        }
    counters_add(list, name, sums[0], sums[1], 0);
}

/* --- samples */

static double grown(uint64_t before, uint64_t after)
{
    return after > before ? (double) (after - before) : 0;
}

static double share(double part, double whole)
{
    if (!(whole > 0) || !(part > 0))
        return 0;
    return part < whole ? part / whole : 1;
}

/* Sums of what grew, and the largest of what was busy. */
static item difference(const item_list *before, const item_list *after)
{
    item sum = {.in = 0};

    for (size_t i = 0; i < after->count; i++)
        for (size_t k = 0; k < before->count; k++) {
            const item *a = &before->items[k], *b = &after->items[i];
            double busy;

            if (strcmp(a->name, b->name) != 0)
                continue;
            sum.in += (uint64_t) grown(a->in, b->in);
            sum.out += (uint64_t) grown(a->out, b->out);
            busy = grown(a->busy, b->busy);
            if (busy > (double) sum.busy)
                sum.busy = (uint64_t) busy;
        }
    return sum;
}

static double raise(double *peak, double rate)
{
    if (*peak < LEAST_PEAK)
        *peak = LEAST_PEAK;
    if (rate > *peak)
        *peak = rate;
    return *peak;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void rates(const look *before, const look *after, double seconds, double *values,
                  double *disk_busy_p)
{
    static const int first[ITEM_KINDS] = {SAMPLE_NETWORK_IN, SAMPLE_DISK_READ, SAMPLE_LUSTRE_READ,
                                          SAMPLE_NFS_READ};

    for (int kind = 0; kind < ITEM_KINDS; kind++) {
        item sum = difference(&before->lists[kind], &after->lists[kind]);

        values[first[kind]] = (double) sum.in / seconds;
        values[first[kind] + 1] = (double) sum.out / seconds;
        if (kind == ITEM_DISK)
            *disk_busy_p = share((double) sum.busy, seconds * 1000);
    }
}

void sample_between(const look *before, const look *after, double seconds, peaks *peaks,
                    sample *sample_p)
{
    sample s = {.seconds = seconds > 0 ? seconds : 1e-9};
    double ticks = grown(before->cpu_all, after->cpu_all), disk_busy = 0, direction, remote;
    double *v = s.values;

    rates(before, after, s.seconds, v, &disk_busy);
    v[SAMPLE_CPU] = share(grown(before->cpu_busy, after->cpu_busy), ticks);
    v[SAMPLE_CPU_WAIT] = share(grown(before->cpu_wait, after->cpu_wait), ticks);
    v[SAMPLE_MEMORY_USED] = grown(after->memory_available, after->memory_total);
    v[SAMPLE_MEMORY_DIRTY] = (double) after->memory_dirty;
    v[SAMPLE_MEMORY] = share(v[SAMPLE_MEMORY_USED], (double) after->memory_total);
    direction = larger(v[SAMPLE_NETWORK_IN], v[SAMPLE_NETWORK_OUT]);
    v[SAMPLE_NETWORK] =
        share(direction, after->network_capacity > 0 ? after->network_capacity
                                                     : raise(&peaks->network, direction));
    remote = v[SAMPLE_LUSTRE_READ] + v[SAMPLE_LUSTRE_WRITTEN] + v[SAMPLE_NFS_READ] +
             v[SAMPLE_NFS_WRITTEN];
    v[SAMPLE_IO] = larger(disk_busy, share(remote, raise(&peaks->remote, remote)));
    *sample_p = s;
}
