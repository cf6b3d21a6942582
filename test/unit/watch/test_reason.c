/*
 * Reasoners on simulated nodes: processes make calls whose times are drawn, the histogram judges
 * them as it does in programs, and nodes reason.  Seeded; no clock.
 */

#include "help.h"

#include <math.h>
#include <stdio.h>

#include "watch/histogram.h"
#include "watch/modules.h"
#include "watch/reasoner.h"

TEST_CALLS;

extern const atw_module atw_module_histogram;

/* --- streaks */

static const atw_cycle good = {.judged = 10}, slow = {.judged = 10, .slow = 9, .very_slow = 5},
                       none = {.judged = 0}, one = {.judged = 1, .slow = 1, .very_slow = 1};

static void take(atw_streak *s, const atw_cycle *cycle, int times)
{
    for (int i = 0; i < times; i++)
        atw_streak_take(s, cycle);
}

static void test_sights(void **unused)
{
    (void) unused;
    assert_int_equal(atw_cycle_sight(&none), ATW_SIGHT_NONE);
    assert_int_equal(atw_cycle_sight(&one), ATW_SIGHT_NONE);
    assert_int_equal(atw_cycle_sight(&good), ATW_SIGHT_GOOD);
    assert_int_equal(atw_cycle_sight(&slow), ATW_SIGHT_SLOW);
    assert_int_equal(atw_cycle_sight(&(atw_cycle){.is_stuck = true}), ATW_SIGHT_SLOW);
    assert_int_equal(atw_cycle_sight(&(atw_cycle){.judged = 2, .slow = 2}), ATW_SIGHT_NONE);
    assert_int_equal(atw_cycle_sight(&(atw_cycle){.judged = 3, .slow = 3}), ATW_SIGHT_SLOW);
    assert_int_equal(atw_cycle_sight(&(atw_cycle){.judged = 7, .slow = 3}), ATW_SIGHT_GOOD);
    assert_int_equal(atw_cycle_sight(&(atw_cycle){.judged = 1000, .slow = 20, .very_slow = 5}),
                     ATW_SIGHT_GOOD);
}

static void test_hysteresis(void **unused)
{
    atw_streak s = {.slow = 0};

    (void) unused;
    take(&s, &good, 5);
    take(&s, &slow, ATW_REASON_ENTER - 1);
    assert_false(s.is_raised);
    assert_true(atw_streak_is_suspect(&s));
    take(&s, &good, 1);
    assert_false(atw_streak_is_suspect(&s));
    take(&s, &slow, ATW_REASON_ENTER);
    assert_true(s.is_raised);
    take(&s, &good, ATW_REASON_LEAVE - 1);
    assert_true(s.is_raised);
    take(&s, &slow, 1); /* from the beginning */
    take(&s, &good, ATW_REASON_LEAVE - 1);
    assert_true(s.is_raised);
    take(&s, &good, 1);
    assert_false(s.is_raised);
}

static void test_few_calls(void **unused)
{
    atw_streak s = {.slow = 0};

    (void) unused;
    assert_false(atw_streak_is_active(&s));
    take(&s, &one, 1);
    assert_false(atw_streak_is_suspect(&s));
    take(&s, &one, 1); /* two very slow ones */
    assert_true(atw_streak_is_suspect(&s));
    take(&s, &none, 3);
    assert_true(atw_streak_is_active(&s));
    take(&s, &one, 2);
    assert_true(s.is_raised);
    take(&s, &none, ATW_REASON_FORGET);
    assert_false(s.is_raised);
    assert_false(atw_streak_is_active(&s));
}

/* --- levels */

static void test_levels(void **unused)
{
    atw_outlook o = {.processes = {8, 1, 1}};

    (void) unused;
    assert_int_equal(atw_outlook_scope(&(atw_outlook){.stopped = 0}), ATW_SCOPE_NONE);
    assert_int_equal(atw_outlook_scope(&(atw_outlook){.processes = {8, 8, 0}}), ATW_SCOPE_NONE);
    assert_int_equal(atw_outlook_scope(&(atw_outlook){.stopped = 5}), ATW_SCOPE_PROCESS);
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_PROCESS);
    o.is_saturated = true; /* the others do not mind */
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_PROCESS);
    o.processes = (atw_group){1, 1, 1};
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_NODE);
    o.is_saturated = false;
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_PROCESS);
    o.processes = (atw_group){8, 4, 1};
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_NODE);
    o.others = (atw_group){7, 1, 0};
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_NODE);
    o.others.suspect = 3;
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_SYSTEM);
    o.processes = (atw_group){8, 1, 1}; /* one of each */
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_SYSTEM);
    o.processes = (atw_group){8, 0, 0};
    assert_int_equal(atw_outlook_scope(&o), ATW_SCOPE_NONE);
}

static void test_suspect_nodes(void **unused)
{
    (void) unused;
    assert_true(atw_outlook_is_suspect(&(atw_outlook){.processes = {8, 1, 1}}));
    assert_true(atw_outlook_is_suspect(&(atw_outlook){.processes = {8, 1, 0}}));
    assert_false(atw_outlook_is_suspect(&(atw_outlook){.processes = {8, 0, 0}}));
    assert_false(atw_outlook_is_suspect(&(atw_outlook){.stopped = 3}));
}

static void test_one_signal(void **unused)
{
    const atw_outlook well = {.processes = {8, 0, 0}}, process = {.processes = {8, 1, 1}},
                      node = {.processes = {8, 8, 8}};
    atw_outlook waiting = process;
    atw_reasoner r = {.level = ATW_SCOPE_NONE};

    (void) unused;
    waiting.awaits = true;
    assert_int_equal(atw_reasoner_step(&r, &well), ATW_CHANGE_NONE);
    assert_int_equal(atw_reasoner_step(&r, &waiting), ATW_CHANGE_NONE);
    assert_int_equal(atw_reasoner_step(&r, &process), ATW_CHANGE_BEGINS);
    assert_int_equal(atw_reasoner_step(&r, &process), ATW_CHANGE_NONE);
    for (int i = 1; i < ATW_REASON_ENTER; i++)
        assert_int_equal(atw_reasoner_step(&r, &node), ATW_CHANGE_NONE);
    assert_int_equal(atw_reasoner_step(&r, &node), ATW_CHANGE_MOVES);
    assert_int_equal(r.level, ATW_SCOPE_NODE);
    for (int i = 1; i < ATW_REASON_LEAVE; i++)
        assert_int_equal(atw_reasoner_step(&r, &process), ATW_CHANGE_NONE);
    assert_int_equal(atw_reasoner_step(&r, &process), ATW_CHANGE_MOVES);
    assert_int_equal(r.level, ATW_SCOPE_PROCESS);
    assert_int_equal(atw_reasoner_step(&r, &well), ATW_CHANGE_ENDS);
    assert_int_equal(atw_reasoner_step(&r, &well), ATW_CHANGE_NONE);
    for (int i = 0; i < ATW_REASON_WAIT; i++) /* a folder that hangs */
        assert_int_equal(atw_reasoner_step(&r, &waiting), ATW_CHANGE_NONE);
    assert_int_equal(atw_reasoner_step(&r, &waiting), ATW_CHANGE_BEGINS);
}

/* --- simulation: times are in ms */

enum { NODES = 4, PROCESSES = 8, TARGETS = 8, HOUR = 72000, LEARNING = 300 };

typedef struct process {
    void *histogram;
    double time, stall_begin, stall_end, next_stall; /* what stops a call for a moment */
    double think, median, phase, factor;             /* factor: how much slower it is made */
    atw_judged before;
    atw_streak streak;
} process;

typedef struct node {
    process processes[PROCESSES];
    double stall_begin, stall_end, next_stall;
    atw_reasoner reasoner;
    unsigned begins, moves, ends;
    atw_scope first;
    int begun;
} node;

typedef struct machine {
    uint64_t random;
    node nodes[NODES];
} machine;

/* --full tries more */
static uint64_t seeds(uint64_t few, uint64_t many)
{
    const char *full = getenv("AUTOTUNE_FULL");

    return full != NULL && full[0] != '\0' ? many : few;
}

static process *now; /* whose threads there are */

/* A histogram, for free_machine. */
void *atw_take_apart(size_t bytes)
{
    return calloc(1, bytes);
}

/* Nothing is told here. */
void *atw_take_pages(size_t bytes)
{
    return calloc(1, bytes);
}

void atw_give_back(void *pages, size_t bytes)
{
    (void) bytes;
    free(pages);
}

size_t atw_module_states(const atw_module *module, void **states, size_t room)
{
    (void) module;
    (void) room;
    states[0] = now->histogram;
    return now->histogram != NULL;
}

static double unit(machine *m)
{
    m->random += 0x9e3779b97f4a7c15u;
    uint64_t z = m->random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double) ((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double normal(machine *m)
{
    double radius = sqrt(-2 * log(1 - unit(m)));

    return radius * cos(6.283185307179586 * unit(m));
}

static double within(machine *m, double least, double most)
{
    return least * exp(unit(m) * log(most / least));
}

static double exponential(machine *m, double mean)
{
    return -mean * log(1 - unit(m));
}

/* Once in `mean` ms, for 10 to 150 ms. */
static void next_stall(machine *m, double mean, double time, double *next, double *begin,
                       double *end)
{
    while (*next <= time) {
        *begin = *next;
        *end = *begin + within(m, 10, 150);
        *next = *end + exponential(m, mean);
    }
}

static double call_time(machine *m, const process *p)
{
    double time = p->median * exp(0.5 * normal(m)) * p->factor;

    return unit(m) < 0.003 ? time * within(m, 3, 30) : time;
}

static double after(double end, double begin_stall, double end_stall)
{
    return end > begin_stall && end < end_stall ? end_stall : end;
}

static void make_call(machine *m, const node *n, process *p)
{
    atw_call call = {.fd = 5};
    double begin = p->time + exponential(m, p->think), end;

    next_stall(m, 60000, begin, &p->next_stall, &p->stall_begin, &p->stall_end);
    end = begin + call_time(m, p);
    end = after(end, p->stall_begin, p->stall_end);
    end = after(end, n->stall_begin, n->stall_end);
    call.activity = (atw_activity){.id = 1,
                                   .start = (uint64_t) (1e6 * begin),
                                   .end = (uint64_t) (1e6 * end),
                                   .bytes = 4096,
                                   .file = 1,
                                   .call = TEST_WRITE};
    atw_module_histogram.see(&p->histogram, &call);
    p->time = end;
}

/* As module_reasoner.c, but for calls that never end. */
static void end_cycle(process *p)
{
    atw_judged all;
    atw_cycle cycle;

    now = p;
    atw_histogram_sum(&all);
    cycle = atw_histogram_since(&p->before, &all);
    p->before = all;
    atw_streak_take(&p->streak, &cycle);
    atw_histogram_cycle(p->streak.slow > 0);
}

/* The cycles that ended before the node looks. */
static void run_processes(machine *m, node *n, int cycle)
{
    for (int i = 0; i < PROCESSES; i++) {
        process *p = &n->processes[i];
        double end = ATW_CYCLE_MS * (cycle - 1) + p->phase;

        next_stall(m, 300000, p->time, &n->next_stall, &n->stall_begin, &n->stall_end);
        while (p->time < end)
            make_call(m, n, p);
        end_cycle(p);
    }
}

/* Others are told as soon as a process tells the node, and looked at when one is raised. */
static bool is_suspect(const node *n)
{
    for (int i = 0; i < PROCESSES; i++)
        if (atw_streak_is_suspect(&n->processes[i].streak))
            return true;
    return false;
}

static atw_outlook look(const machine *m, const node *n)
{
    atw_outlook o = {.stopped = 0};

    for (int i = 0; i < PROCESSES; i++) {
        const atw_streak *s = &n->processes[i].streak;

        o.processes.active += atw_streak_is_active(s);
        o.processes.suspect += atw_streak_is_suspect(s);
        o.processes.raised += s->is_raised;
    }
    for (int i = 0; i < NODES; i++)
        if (&m->nodes[i] != n) {
            o.others.active++;
            o.others.suspect += is_suspect(&m->nodes[i]);
        }
    return o;
}

static void run_cycle(machine *m, int cycle)
{
    for (int i = 0; i < NODES; i++)
        run_processes(m, &m->nodes[i], cycle);
    for (int i = 0; i < NODES; i++) {
        node *n = &m->nodes[i];
        atw_outlook o = look(m, n);
        atw_change change = atw_reasoner_step(&n->reasoner, &o);

        if (change == ATW_CHANGE_BEGINS && n->begins++ == 0) {
            n->first = n->reasoner.level;
            n->begun = cycle;
        }
        n->moves += change == ATW_CHANGE_MOVES;
        n->ends += change == ATW_CHANGE_ENDS;
    }
}

static machine *new_machine(uint64_t seed)
{
    machine *m = calloc(1, sizeof(*m));

    assert_non_null(m);
    m->random = seed * 0xd1342543de82ef95u;
    for (int i = 0; i < NODES; i++) {
        m->nodes[i].next_stall = exponential(m, 300000);
        for (int j = 0; j < PROCESSES; j++) {
            process *p = &m->nodes[i].processes[j];

            p->think = within(m, 1, 5);
            p->median = within(m, 0.02, 1);
            p->phase = ATW_CYCLE_MS * unit(m);
            p->next_stall = exponential(m, 60000);
            p->factor = 1;
        }
    }
    return m;
}

static void free_machine(machine *m)
{
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < PROCESSES; j++)
            free(m->nodes[i].processes[j].histogram);
    free(m);
}

static unsigned signals_of(const machine *m)
{
    unsigned sum = 0;

    for (int i = 0; i < NODES; i++)
        sum += m->nodes[i].begins;
    return sum;
}

static void test_an_hour_of_noise(void **unused)
{
    (void) unused;
    for (uint64_t seed = 1; seed <= seeds(1, 10); seed++) {
        machine *m = new_machine(seed);

        for (int cycle = 1; cycle <= HOUR; cycle++)
            run_cycle(m, cycle);
        if (signals_of(m) != 0)
            fail_msg("seed %d: %u signals", (int) seed, signals_of(m));
        for (int i = 0; i < NODES; i++) /* it was looked at */
            assert_true(atw_streak_is_active(&m->nodes[i].processes[0].streak));
        free_machine(m);
    }
}

/* --- slowdowns: calls take fifteen times as long */

typedef bool concerned(int node, int process);

static bool one_process(int node, int process)
{
    return node == 1 && process == 3;
}

static bool one_node(int node, int process)
{
    (void) process;
    return node == 2;
}

static bool all_nodes(int node, int process)
{
    (void) node;
    (void) process;
    return true;
}

/* Files are on one of the targets each; every node has one process that uses this one. */
static bool one_target(int node, int process)
{
    return (node + process) % TARGETS == 5;
}

static void slow_down(machine *m, concerned *who, double factor)
{
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < PROCESSES; j++)
            if (who(i, j))
                m->nodes[i].processes[j].factor = factor;
}

static bool has_any(concerned *who, int node)
{
    for (int j = 0; j < PROCESSES; j++)
        if (who(node, j))
            return true;
    return false;
}

/* Two whole cycles of a process are seen by the third look of the node, which then looks at others
 * at once: less than 200 ms, two polls of statistics.  With fewer than two calls in a cycle it
 * takes longer. */
enum { SOON = 3, LATEST = 12 };

/* Whether it took longer. */
static bool check_node(const node *n, bool is_concerned, atw_scope level, uint64_t seed)
{
    if (!is_concerned) {
        if (n->begins != 0)
            fail_msg("seed %d: a node that is well raised a signal", (int) seed);
        return false;
    }
    if (n->begins != 1 || n->first != level || n->moves != 0 || n->begun > LEARNING + LATEST)
        fail_msg("seed %d: %u signals, the first %s after %d cycles, %u moves", (int) seed,
                 n->begins, atw_scope_names[n->first], n->begun - LEARNING, n->moves);
    return n->begun > LEARNING + SOON;
}

static void check_level(concerned *who, atw_scope level)
{
    unsigned late = 0, count = 0;

    for (uint64_t seed = 1; seed <= seeds(50, 500); seed++) {
        machine *m = new_machine(seed);

        for (int cycle = 1; cycle <= LEARNING; cycle++)
            run_cycle(m, cycle);
        slow_down(m, who, 15);
        for (int cycle = LEARNING + 1; cycle <= LEARNING + 100; cycle++)
            run_cycle(m, cycle);
        for (int i = 0; i < NODES; i++) {
            count += has_any(who, i);
            late += check_node(&m->nodes[i], has_any(who, i), level, seed);
        }
        slow_down(m, who, 1);
        for (int cycle = LEARNING + 101; cycle <= LEARNING + 140; cycle++)
            run_cycle(m, cycle);
        for (int i = 0; i < NODES; i++)
            assert_int_equal(m->nodes[i].reasoner.level, ATW_SCOPE_NONE);
        free_machine(m);
    }
    print_message("%u of %u took longer than %d cycles\n", late, count, (int) SOON);
    assert_true(20 * late <= count);
}

static void test_one_process(void **unused)
{
    (void) unused;
    check_level(one_process, ATW_SCOPE_PROCESS);
}

static void test_one_node(void **unused)
{
    (void) unused;
    check_level(one_node, ATW_SCOPE_NODE);
}

static void test_all_nodes(void **unused)
{
    (void) unused;
    check_level(all_nodes, ATW_SCOPE_SYSTEM);
}

static void test_one_target(void **unused)
{
    (void) unused;
    check_level(one_target, ATW_SCOPE_SYSTEM);
}

/* Calls of 3 us that take 45: a hundredth of the time. */
static void test_what_nobody_notices(void **unused)
{
    machine *m = new_machine(1);

    (void) unused;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < PROCESSES; j++) {
            m->nodes[i].processes[j].median = 0.003;
            m->nodes[i].processes[j].think = 5;
        }
    for (int cycle = 1; cycle <= LEARNING; cycle++)
        run_cycle(m, cycle);
    slow_down(m, all_nodes, 15);
    for (int cycle = LEARNING + 1; cycle <= LEARNING + 100; cycle++)
        run_cycle(m, cycle);
    assert_int_equal(signals_of(m), 0);
    free_machine(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sights),           cmocka_unit_test(test_hysteresis),
        cmocka_unit_test(test_few_calls),        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_suspect_nodes),    cmocka_unit_test(test_one_signal),
        cmocka_unit_test(test_an_hour_of_noise), cmocka_unit_test(test_one_process),
        cmocka_unit_test(test_one_node),         cmocka_unit_test(test_all_nodes),
        cmocka_unit_test(test_one_target),       cmocka_unit_test(test_what_nobody_notices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
