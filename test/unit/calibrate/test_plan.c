/* Which points a calibration has. */

#include "help.h"

static void test_rungs(void **state)
{
    static const int expected[] = {0, 3, 2, 3, 1, 3, 2, 3, 0};

    (void) state;
    for (int i = 0; i < 9; i++)
        assert_int_equal(plan_rung(i, 9), expected[i]);
    assert_int_equal(plan_rung(0, 1), 0);
    assert_int_equal(plan_rung(1, 2), 0);
}

static void test_groups(void **state)
{
    plan_job job = job_of(4);
    plan_group groups[PLAN_GROUPS];
    int count = plan_groups(&job, groups);

    (void) state;
    assert_int_equal(count, 3 * 5 - 1); /* 1, 2, 4 nodes x 1, 2, 4, 6, 8 ranks; but not one alone */
    for (int i = 0; i < count; i++) {
        assert_int_equal(groups[i].ranks, groups[i].nodes * groups[i].per_node);
        assert_true(groups[i].ranks >= 2);
    }
    assert_int_equal(groups[count - 1].ranks, 32);
}

static void test_uneven_nodes(void **state)
{
    static const int ranks_of[] = {3, 1};
    plan_job job = job_of(2);
    plan_group groups[PLAN_GROUPS];
    int count;

    (void) state;
    job.ranks = 4;
    job.ranks_of = ranks_of;
    count = plan_groups(&job, groups);
    assert_int_equal(groups[count - 1].ranks, 4);
    for (int i = 0; i < count; i++)
        assert_true(groups[i].ranks >= 2 && groups[i].ranks <= 4);
}

static bool same(const plan_point *a, const plan_point *b)
{
    return a->operation == b->operation &&
           memcmp(a->features, b->features, sizeof(a->features)) == 0;
}

/* As the count models give them (counts_items.c). */
static void check_features(const plan_job *job, const plan_point *p)
{
    const double *f = p->features;

    assert_true(f[ATM_BYTES] >= 1 && f[ATM_STRIPES] >= 1 && f[ATM_MESSAGES] >= 1);
    if (plan_is_of_aggregators(p->operation)) {
        assert_true(f[ATM_NODES] == job->nodes && f[ATM_SENDERS] == job->ranks);
        assert_true(f[ATM_RECEIVERS] <= job->ranks);
        assert_true(f[ATM_PER_NODE] == f[ATM_RECEIVERS] / job->nodes);
    } else {
        assert_true(f[ATM_PER_NODE] * f[ATM_NODES] == p->ranks);
        assert_true(f[ATM_STRIPES] == 1);
    }
    if (p->operation == ATM_EXCHANGE) {
        double many = f[ATM_SENDERS] > f[ATM_RECEIVERS] ? f[ATM_SENDERS] : f[ATM_RECEIVERS];

        assert_true(many == p->ranks);
        assert_true(f[ATM_MESSAGES] >= many);
        assert_true(f[ATM_MESSAGES] <= f[ATM_SENDERS] * f[ATM_RECEIVERS]);
    } else {
        assert_true(f[ATM_MESSAGES] == 1);
    }
}

static void check_plan(const plan_job *job)
{
    plan plan = plan_of(job);

    assert_int_equal(plan.first[0], 0);
    assert_int_equal(plan.first[ATM_OPERATION_COUNT], plan.count);
    for (int operation = 0; operation < ATM_OPERATION_COUNT; operation++) {
        int first = plan.first[operation], end = plan.first[operation + 1];

        assert_true(end > first);
        assert_true(end - first <= 1100); /* a points file can hold them */
        for (int i = first; i < end; i++) {
            const plan_point *p = &plan.points[i];

            assert_int_equal(p->operation, operation);
            assert_true(i == first || p->rung >= plan.points[i - 1].rung);
            assert_true(plan_memory(p) * (p->per_node < 8 ? p->per_node : 8) <= job->memory);
            assert_true(plan_disk(p) <= job->disk);
            check_features(job, p);
            for (int k = first; k < i; k++)
                assert_false(same(&plan.points[k], p));
        }
    }
    plan_clear(&plan);
}

/* What a writer of two-phase I/O on Lustre writes in a round is a stripe. */
static void test_stripes(void **state)
{
    plan_point point = {.operation = ATM_WRITE_FULL, .bytes = 4 * HELP_MIB};

    (void) state;
    assert_int_equal(plan_stripe(&point, ATM_LUSTRE, HELP_MIB), 4 * HELP_MIB);
    assert_int_equal(plan_stripe(&point, ATM_UFS, HELP_MIB), HELP_MIB);
    point.bytes = HELP_MIB + 1;
    assert_int_equal(plan_stripe(&point, ATM_LUSTRE, HELP_MIB), HELP_MIB + 65536);
    point.bytes = 4096;
    assert_int_equal(plan_stripe(&point, ATM_LUSTRE, HELP_MIB), 65536);
    point.operation = ATM_WRITE_PARTIAL; /* behind the round before */
    point.before_bytes = point.bytes = HELP_MIB;
    assert_int_equal(plan_stripe(&point, ATM_LUSTRE, HELP_MIB), 2 * HELP_MIB);
    point.before_bytes = 0;
    point.operation = ATM_WRITE_INDEPENDENT;
    point.bytes = 4 * HELP_MIB;
    assert_int_equal(plan_stripe(&point, ATM_LUSTRE, HELP_MIB), HELP_MIB);
    point.operation = ATM_READ_FULL;
    assert_int_equal(plan_stripe(&point, ATM_LUSTRE, HELP_MIB), HELP_MIB);
}

/* Writes of less than the least stripe are not rounds on Lustre. */
static void test_sizes_of_stripes(void **state)
{
    plan_job job = job_of(2);
    plan plan;

    (void) state;
    job.driver = ATM_LUSTRE;
    job.block = HELP_MIB;
    job.servers = 4;
    plan = plan_of(&job);
    for (int i = plan.first[ATM_WRITE_FIRST]; i < plan.first[ATM_WRITE_PARTIAL]; i++)
        assert_int_equal(plan.points[i].bytes % 65536, 0);
    plan_clear(&plan);
}

/* Writers and stripes that ROMIO has, and as many of both among the first. */
static void test_writers_of_stripes(void **state)
{
    plan_job job = job_of(2);
    bool early = false;
    plan plan;

    (void) state;
    job.driver = ATM_LUSTRE;
    job.block = HELP_MIB;
    job.servers = 12;
    plan = plan_of(&job);
    for (int i = plan.first[ATM_WRITE_FIRST]; i < plan.first[ATM_WRITE_PARTIAL]; i++) {
        const plan_point *p = &plan.points[i];

        assert_true(p->receivers % p->stripes == 0 || p->stripes % p->receivers == 0);
        early = early || (p->rung < 3 && p->receivers == 8 && p->stripes == 8);
    }
    assert_true(early);
    plan_clear(&plan);
}

static void test_one_node(void **state)
{
    plan_job job = job_of(1);

    (void) state;
    check_plan(&job);
}

static void test_many_nodes(void **state)
{
    plan_job job = job_of(64);

    (void) state;
    check_plan(&job);
}

static int count_stripes(const plan *plan, int operation, int stripes)
{
    int count = 0;

    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++)
        count += plan->points[i].stripes == stripes;
    return count;
}

static void test_lustre(void **state)
{
    plan_job job = job_of(2);
    plan plan;

    (void) state;
    job.driver = ATM_LUSTRE;
    job.block = HELP_MIB;
    job.servers = 4;
    check_plan(&job);
    plan = plan_of(&job);
    for (int stripes = 1; stripes <= 4; stripes *= 2)
        assert_true(count_stripes(&plan, ATM_WRITE_FULL, stripes) > 10);
    assert_int_equal(count_stripes(&plan, ATM_ALLREDUCE, 1),
                     plan.first[ATM_ALLREDUCE + 1] - plan.first[ATM_ALLREDUCE]);
    plan_clear(&plan);
}

static bool has_size(const plan *plan, int operation, uint64_t bytes)
{
    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++)
        if (plan->points[i].bytes == bytes)
            return true;
    return false;
}

static void test_sizes(void **state)
{
    static const uint64_t sizes[] = {4095,  4096,     4097,         8192,
                                     16384, HELP_MIB, 2 * HELP_MIB, 64 * HELP_MIB};
    plan_job job = job_of(1);
    plan plan = plan_of(&job);

    (void) state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        assert_true(has_size(&plan, ATM_WRITE_FULL, sizes[i]));
    for (int shift = 0; shift <= 18; shift++) {
        assert_int_equal(has_size(&plan, ATM_ALLREDUCE, UINT64_C(1) << shift), shift >= 2);
        assert_true(has_size(&plan, ATM_ALLTOALL, UINT64_C(1) << shift));
        assert_true(has_size(&plan, ATM_EXCHANGE, UINT64_C(1) << shift));
    }
    plan_clear(&plan);
}

/* The round before a partial one has more bytes. */
static void test_partial(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);

    (void) state;
    for (int i = 0; i < plan.count; i++) {
        const plan_point *p = &plan.points[i];
        bool partial = p->operation == ATM_WRITE_PARTIAL || p->operation == ATM_READ_PARTIAL;

        assert_true(partial ? p->before_bytes > p->bytes : p->before_bytes == 0);
    }
    plan_clear(&plan);
}

static void test_only_and_seed(void **state)
{
    plan_job job = job_of(1);
    plan one, other;
    int moved = 0;

    (void) state;
    job.only = 1u << ATM_EXCHANGE;
    one = plan_of(&job);
    assert_int_equal(one.first[ATM_EXCHANGE], 0);
    assert_int_equal(one.first[ATM_EXCHANGE + 1], one.count);
    other = plan_of(&job);
    assert_memory_equal(one.points, other.points, (size_t) one.count * sizeof(*one.points));
    plan_clear(&other);
    job.seed = 2;
    other = plan_of(&job);
    for (int i = 0; i < one.count; i++)
        moved += !same(&one.points[i], &other.points[i]);
    assert_true(moved > one.count / 2);
    plan_clear(&one);
    plan_clear(&other);
}

/* Whatever room there is, files keep to it, and what is left out is counted. */
static void check_room(const plan_job *base, double budget, uint64_t room)
{
    plan_job job = *base;
    plan_missing missing;
    plan_bound bound;
    plan plan;
    int rich = 0;

    job.disk = plan_file_bytes(&job, budget, room, &bound);
    assert_true(job.disk <= room / (uint64_t) plan_files(&job));
    assert_true(bound == PLAN_BY_ROOM || job.disk < room);
    plan = plan_of(&job);
    for (int i = 0; i < plan.count; i++)
        assert_true(plan_disk(&plan.points[i]) * plan_files(&job) <= (double) room);
    assert_int_equal(plan_find_missing(&job, &missing), ATM_OK);
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        rich += (missing.has >> i & 1) != 0;
    assert_true(missing.by_memory + missing.by_disk < missing.possible);
    assert_true(rich == ATM_OPERATION_COUNT || room < HELP_MIB);
    assert_true(missing.by_disk > 0 || bound != PLAN_BY_ROOM);
    plan_clear(&plan);
}

static void test_room(void **state)
{
    (void) state;
    for (int nodes = 1; nodes <= 16; nodes *= 16)
        for (uint64_t room = 0; room < UINT64_C(1) << 42; room = 16 * room + HELP_MIB / 2)
            for (double budget = 0; budget < 10000; budget = 20 * budget + 240) {
                plan_job job = job_of(nodes);

                check_room(&job, budget, room);
                job.driver = ATM_LUSTRE;
                job.block = HELP_MIB;
                job.servers = 12;
                check_room(&job, budget, room);
            }
}

/* Six nodes, four minutes and 37 GB, of which 5 % of the volume stay free. */
static void test_room_of_a_full_volume(void **state)
{
    plan_job job = job_of(6);
    const uint64_t room = UINT64_C(24000000000);
    plan_bound bound;

    (void) state;
    job.memory = UINT64_C(8000000000);
    job.disk = plan_file_bytes(&job, 240, room, &bound);
    assert_int_equal(bound, PLAN_BY_ROOM);
    assert_int_equal(job.disk, room / 2);
    job.disk = plan_file_bytes(&job, 240, 100 * room, &bound);
    assert_int_equal(bound, PLAN_BY_BUDGET);
    assert_int_equal(job.disk, UINT64_C(240) * 27000000 * 6);
    job.disk = plan_file_bytes(&job, 0, 100 * room, &bound);
    assert_int_equal(bound, PLAN_BY_MEMORY);
}

/* One that is written, one to read for each of 1, 2, 3, 4 stripes. */
static void test_files(void **state)
{
    plan_job job = job_of(1);

    (void) state;
    assert_int_equal(plan_files(&job), 2);
    job.servers = 4;
    assert_int_equal(plan_files(&job), 5);
    job.only = 1u << ATM_WRITE_FULL | 1u << ATM_BCAST;
    assert_int_equal(plan_files(&job), 1);
    job.only = 1u << ATM_BCAST;
    assert_int_equal(plan_files(&job), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_uneven_nodes),
        cmocka_unit_test(test_one_node),
        cmocka_unit_test(test_stripes),
        cmocka_unit_test(test_sizes_of_stripes),
        cmocka_unit_test(test_writers_of_stripes),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_lustre),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_only_and_seed),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_room_of_a_full_volume),
        cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
