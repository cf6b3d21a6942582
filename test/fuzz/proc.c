/* Texts of /proc, and what a Lustre client counts: never more than there is room for, and
 * samples that are numbers. */

#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/counters.h"
#include "probe/passive.h"

static bool any(const char *name, void *context)
{
    (void) context;
    return strcmp(name, "lo") != 0;
}

static void count(const char *text)
{
    static const look nothing;
    look now = {.cpu_all = 0};
    peaks peaks = {.network = 0};
    sample sample;

    counters_stat(text, &now);
    counters_meminfo(text, &now);
    counters_net(text, any, NULL, &now.lists[ITEM_NETWORK]);
    counters_disks(text, any, NULL, &now.lists[ITEM_DISK]);
    counters_nfs(text, &now.lists[ITEM_NFS]);
    counters_lustre(text, "scratch", &now.lists[ITEM_LUSTRE]);
    for (int i = 0; i < ITEM_KINDS; i++) {
        require(now.lists[i].count <= ITEMS_MOST, "too many items");
        for (size_t k = 0; k < now.lists[i].count; k++)
            require(memchr(now.lists[i].items[k].name, '\0', ITEM_NAME) != NULL, "a name");
    }
    sample_between(&nothing, &now, 1, &peaks, &sample);
    for (int i = 0; i < SAMPLE_COUNT; i++)
        require(isfinite(sample.values[i]) && sample.values[i] >= 0, sample_names[i]);
}

static void look_at_targets(const char *text)
{
    static const int indices[] = {0, 3, 42};
    passive_row rows[3], before[3];
    passive_look look = {3, indices, rows};

    memset(rows, 0, sizeof(rows));
    passive_parse(text, "scratch", &look);
    memcpy(before, rows, sizeof(rows));
    passive_parse(text, "scratch", &look);
    for (int i = 0; i < 3; i++) {
        double samples, mean;

        if (passive_between(&before[i], &rows[i], &samples, &mean))
            require(isfinite(samples) && samples > 0 && isfinite(mean) && mean >= 0, "a mean");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    count(text);
    look_at_targets(text);
    free(text);
    return 0;
}
