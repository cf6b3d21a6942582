/* Texts of /proc, what was done between two looks, and five resolutions. */

#include "help.h"

#include <stdio.h>

#include "collect/levels.h"

static bool any(const char *name, void *context)
{
    (void) context;
    return strcmp(name, "lo") != 0 && strcmp(name, "sda1") != 0;
}

static void assert_near(double number, double wanted)
{
    assert_true(number > wanted - 1e-9 - 1e-6 * wanted && number < wanted + 1e-9 + 1e-6 * wanted);
}

/* --- texts */

static void test_stat(void **state)
{
    look l = {.cpu_all = 0};

    (void) state;
    counters_stat("cpu  100 20 30 800 50 1 2 3 4 5\ncpu0 1 2 3 4\n", &l);
    assert_int_equal(l.cpu_busy, 156);
    assert_int_equal(l.cpu_wait, 50);
    assert_int_equal(l.cpu_all, 1006);
    counters_stat("", &l);
    counters_stat("cpu garbage", &l);
    assert_int_equal(l.cpu_all, 1006);
}

static void test_meminfo(void **state)
{
    look l = {.cpu_all = 0};

    (void) state;
    counters_meminfo(
        "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:   400 kB\nDirty: 7 kB\n", &l);
    assert_int_equal(l.memory_total, 1024000);
    assert_int_equal(l.memory_available, 409600);
    assert_int_equal(l.memory_dirty, 7168);
}

static void test_net(void **state)
{
    static const char text[] =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n"
        "    lo:  999    1    0    0    0     0          0         0  999    1    0    0    0\n"
        "  eth0:1234567    10    0    0    0     0          0         0  7654321    9    0    0\n"
        "broken: 1 2\n";
    item_list list = {.count = 0};

    (void) state;
    counters_net(text, any, NULL, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].name, "eth0");
    assert_int_equal(list.items[0].in, 1234567);
    assert_int_equal(list.items[0].out, 7654321);
}

static void test_disks(void **state)
{
    static const char text[] = "   8       0 sda 10 1 100 5 20 2 200 6 0 77 88 0 0 0 0 0 0\n"
                               "   8       1 sda1 10 1 100 5 20 2 200 6 0 77 88\n"
                               " 259       0 nvme0n1 1 0 8 0 2 0 16 0 0 3 4\n";
    item_list list = {.count = 0};

    (void) state;
    counters_disks(text, any, NULL, &list);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].in, 51200);
    assert_int_equal(list.items[0].out, 102400);
    assert_int_equal(list.items[0].busy, 77);
    assert_string_equal(list.items[1].name, "nvme0n1");
}

static void test_nfs(void **state)
{
    static const char text[] =
        "device /dev/sda1 mounted on / with fstype ext4\n"
        "device server:/home mounted on /home with fstype nfs4 statvers=1.1\n"
        "\topts:\trw,vers=4.2\n"
        "\tbytes:\t1 2 3 4 5000 6000 7 8\n"
        "device server:/home mounted on /other with fstype nfs4 statvers=1.1\n"
        "\tbytes:\t1 2 3 4 5000 6000 7 8\n"
        "device server:/data mounted on /data with fstype nfs statvers=1.1\n"
        "\tbytes:\t0 0 0 0 70 80 0 0\n"
        "device proc mounted on /proc with fstype proc\n"
        "\tbytes:\t1 2 3 4 5 6\n";
    item_list list = {.count = 0};

    (void) state;
    counters_nfs(text, &list);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].in, 5000);
    assert_int_equal(list.items[0].out, 6000);
    assert_int_equal(list.items[1].in, 70);
}

static void test_lustre(void **state)
{
    static const char text[] =
        "snapshot_time             1794890078.123 secs.nsecs\n"
        "read_bytes                3 samples [bytes] 4096 1048576 2101248 1103823372288\n"
        "write_bytes               2 samples [bytes] 1 9 10\n"
        "read                      3 samples [usecs] 1 2 5 9\n";
    item_list list = {.count = 0};

    (void) state;
    counters_lustre(text, "scratch-ffff8800", &list);
    counters_lustre("", "empty", &list);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].in, 2101248);
    assert_int_equal(list.items[0].out, 10);
    assert_int_equal(list.items[1].in, 0);
}

static void test_many_items(void **state)
{
    item_list list = {.count = 0};
    char name[200];

    (void) state;
    for (int i = 0; i < 2 * ITEMS_MOST; i++) {
        snprintf(name, sizeof(name), "%d", i);
        counters_add(&list, name, 1, 1, 1);
    }
    assert_int_equal(list.count, ITEMS_MOST);
}

/* --- between two looks */

static void test_between(void **state)
{
    look before = {.cpu_busy = 100, .cpu_wait = 10, .cpu_all = 1000}, after = before;
    peaks peaks = {0, 0};
    sample s;

    (void) state;
    after.cpu_busy += 30;
    after.cpu_wait += 10;
    after.cpu_all += 100;
    after.memory_total = 1000;
    after.memory_available = 250;
    after.network_capacity = 1000;
    counters_add(&before.lists[ITEM_NETWORK], "eth0", 100, 100, 0);
    counters_add(&after.lists[ITEM_NETWORK], "eth0", 200, 150, 0);
    counters_add(&before.lists[ITEM_DISK], "sda", 0, 0, 10);
    counters_add(&before.lists[ITEM_DISK], "sdb", 0, 0, 10);
    counters_add(&after.lists[ITEM_DISK], "sda", 50, 60, 60);
    counters_add(&after.lists[ITEM_DISK], "sdb", 50, 60, 30);
    sample_between(&before, &after, 0.5, &peaks, &s);
    assert_near(s.values[SAMPLE_CPU], 0.3);
    assert_near(s.values[SAMPLE_CPU_WAIT], 0.1);
    assert_near(s.values[SAMPLE_MEMORY], 0.75);
    assert_near(s.values[SAMPLE_NETWORK_IN], 200);
    assert_near(s.values[SAMPLE_NETWORK_OUT], 100);
    assert_near(s.values[SAMPLE_NETWORK], 0.2);
    assert_near(s.values[SAMPLE_DISK_READ], 200);
    assert_near(s.values[SAMPLE_DISK_WRITTEN], 240);
    assert_near(s.values[SAMPLE_IO], 0.1); /* the busier one */
}

/* Counters that go back, disks and mounts that come and go. */
static void test_changes(void **state)
{
    look before = {.cpu_busy = 100, .cpu_all = 1000}, after = {.cpu_busy = 5, .cpu_all = 10};
    peaks peaks = {0, 0};
    sample s;

    (void) state;
    counters_add(&before.lists[ITEM_DISK], "sda", 1000, 1000, 1000);
    counters_add(&after.lists[ITEM_DISK], "sda", 1, 1, 1);
    counters_add(&after.lists[ITEM_LUSTRE], "new", UINT64_C(1) << 60, UINT64_C(1) << 60, 0);
    counters_add(&before.lists[ITEM_NFS], "gone", 5, 5, 0);
    sample_between(&before, &after, 0.1, &peaks, &s);
    for (int i = 0; i < SAMPLE_COUNT; i++)
        assert_near(s.values[i], 0);
    sample_between(&before, &after, 0, &peaks, &s); /* two looks at once */
    assert_true(s.seconds > 0);
}

/* Without a known capacity: a share of the most that was seen. */
static void test_peaks(void **state)
{
    look a = {.cpu_all = 0}, b = a, c = a;
    peaks peaks = {0, 0};
    sample s;

    (void) state;
    counters_add(&a.lists[ITEM_LUSTRE], "m", 0, 0, 0);
    counters_add(&b.lists[ITEM_LUSTRE], "m", 0, UINT64_C(1000000000), 0);
    counters_add(&c.lists[ITEM_LUSTRE], "m", 0, UINT64_C(1500000000), 0);
    sample_between(&a, &b, 1, &peaks, &s);
    assert_near(s.values[SAMPLE_IO], 1);
    sample_between(&b, &c, 1, &peaks, &s);
    assert_near(s.values[SAMPLE_IO], 0.5);
}

/* --- resolutions */

static sample of(double cpu, double seconds)
{
    sample s = {.seconds = seconds};

    s.values[SAMPLE_CPU] = cpu;
    return s;
}

static void test_levels(void **state)
{
    levels l = {.levels[0].count = 0};

    (void) state;
    assert_null(level_last(&l.levels[0]));
    for (int i = 0; i < 60000; i++) { /* 100 minutes; each second has the mean of its ten */
        sample s = of(i % 10, 0.1);

        levels_add(&l, &s);
    }
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal(l.levels[i].count, LEVEL_SAMPLES);
        assert_near(level_last(&l.levels[i])->seconds, level_seconds[i]);
        assert_near(level_last(&l.levels[i])->values[SAMPLE_CPU], i == 0 ? 9 : 4.5);
    }
    assert_near(level_sample(&l.levels[0], 0)->values[SAMPLE_CPU], 0);
}

/* Means are weighted; a machine that slept has one sample of the time. */
static void test_late(void **state)
{
    levels l = {.levels[0].count = 0};
    sample early = of(1, 0.1), late = of(0, 0.9), asleep = of(0.5, 3600);

    (void) state;
    levels_add(&l, &early);
    levels_add(&l, &late);
    assert_int_equal(l.levels[1].count, 1);
    assert_near(level_last(&l.levels[1])->values[SAMPLE_CPU], 0.1);
    levels_add(&l, &asleep);
    for (int i = 0; i < LEVELS; i++)
        assert_true(level_last(&l.levels[i])->seconds >= 3600);
    levels_add(&l, &early);
    assert_int_equal(l.levels[1].count, 2);
}

static void add_some(levels *l, double cpu, int count)
{
    sample s = of(cpu, 0.1);

    for (int i = 0; i < count; i++)
        levels_add(l, &s);
}

static void test_scarce(void **state)
{
    levels l = {.levels[0].count = 0};
    char names[64];

    (void) state;
    add_some(&l, 1, 50); /* what is usual is not known yet */
    levels_scarce(&l, names, sizeof(names));
    assert_string_equal(names, "");
    l = (levels){.levels[0].count = 0};
    add_some(&l, 0.1, 700);
    levels_scarce(&l, names, sizeof(names));
    assert_string_equal(names, "");
    add_some(&l, 1, 20);
    levels_scarce(&l, names, sizeof(names));
    assert_string_equal(names, "cpu");
    add_some(&l, 1, 1200); /* it is always so */
    levels_scarce(&l, names, sizeof(names));
    assert_string_equal(names, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stat),       cmocka_unit_test(test_meminfo),
        cmocka_unit_test(test_net),        cmocka_unit_test(test_disks),
        cmocka_unit_test(test_nfs),        cmocka_unit_test(test_lustre),
        cmocka_unit_test(test_many_items), cmocka_unit_test(test_between),
        cmocka_unit_test(test_changes),    cmocka_unit_test(test_peaks),
        cmocka_unit_test(test_levels),     cmocka_unit_test(test_late),
        cmocka_unit_test(test_scarce),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
