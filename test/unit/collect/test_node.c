/* The reasoner of a node, with processes that are made up; and nodes that tell each other. */

#include "help.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/users.h"

static char folder[64], proc[128], all[128];

static const atw_health good = {.judged = 10}, slow = {.judged = 10, .slow = 10, .very_slow = 9},
                        idle = {.flags = ATW_HEALTH_IDLE};

enum { COUNT = 4 };

typedef struct sample_node {
    node *node;
    neighbours *others;
    node_process *processes[COUNT];
    int told[COUNT];
} sample_node;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A name that is hard to read. */
static void write_stat(int pid, char state, int started)
{
    char path[256], text[256];

    snprintf(path, sizeof(path), "%s/%d", proc, pid);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/%d/stat", proc, pid);
    snprintf(text, sizeof(text),
             "%d (a) T (b) %c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %d 20 21\n", pid, state,
             started);
    write_file(path, text);
}

/* Process 100 and so on. */
static void set_state(int number, char state)
{
    write_stat(100 + number, state, 1000 + number);
}

static int make_folders(void **state)
{
    (void) state;
    snprintf(folder, sizeof(folder), "/tmp/test_node.XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(proc, sizeof(proc), "%s/proc", folder);
    snprintf(all, sizeof(all), "%s/all", folder);
    mkdir(proc, 0700);
    mkdir(all, 0700);
    for (int i = 0; i < COUNT; i++)
        set_state(i, 'S');
    return 0;
}

static int remove_folders(void **state)
{
    char command[128];

    (void) state;
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command);
}

static sample_node begin(const char *socket, int news)
{
    sample_node s = {.others = socket != NULL ? neighbours_start(all, socket, 7, news) : NULL};
    void *before = NULL;

    s.node = node_new(7, proc, s.others);
    assert_non_null(s.node);
    for (int i = 0; i < COUNT; i++) {
        s.processes[i] = node_add(s.node, 100 + i, (void *) (intptr_t) i, &before);
        assert_non_null(s.processes[i]);
        assert_null(before);
    }
    return s;
}

static void end(sample_node *s)
{
    node_free(s->node);
    neighbours_stop(s->others);
}

static void hear_told(void *owner, atw_scope level, void *context)
{
    sample_node *s = context;

    s->told[(intptr_t) owner] = (int) level;
}

/* The first `count` are slow; those from `late` on say nothing. */
static void run(sample_node *s, int cycles, int count, int late)
{
    for (int i = 0; i < cycles; i++) {
        for (int j = 0; j < late; j++)
            node_hear(s->processes[j], j < count ? &slow : &good);
        node_cycle(s->node, "", hear_told, s);
    }
}

/* The level it has; the caller does not need the rest. */
static atw_scope level_of(const sample_node *s)
{
    atm_value *root = atm_value_object();
    size_t level = 0;

    node_put(s->node, root);
    assert_int_equal(atm_get_choice(root, "level", atw_scope_names, ATW_SCOPES, NULL, &level),
                     ATM_OK);
    atm_value_destroy(root);
    return (atw_scope) level;
}

static void test_one_process(void **state)
{
    sample_node s = begin(NULL, -1);

    (void) state;
    run(&s, 5, 0, COUNT);
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    run(&s, 1, 1, COUNT);
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    run(&s, 1, 1, COUNT);
    assert_int_equal(level_of(&s), ATW_SCOPE_PROCESS);
    assert_int_equal(s.told[0], ATW_SCOPE_PROCESS);
    assert_int_equal(s.told[1], ATW_SCOPE_NONE);
    run(&s, 20, 0, COUNT);
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    assert_int_equal(s.told[0], ATW_SCOPE_NONE);
    end(&s);
}

static void test_a_node(void **state)
{
    sample_node s = begin(NULL, -1);

    (void) state;
    run(&s, 5, 0, COUNT);
    run(&s, 2, 3, COUNT);
    assert_int_equal(level_of(&s), ATW_SCOPE_NODE);
    for (int i = 0; i < COUNT; i++) /* those that are well are part of it */
        assert_int_equal(s.told[i], ATW_SCOPE_NODE);
    node_remove(s.node, s.processes[0]);
    node_remove(s.node, s.processes[1]);
    node_remove(s.node, s.processes[2]);
    node_cycle(s.node, "", hear_told, &s);
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    end(&s);
}

/* However many connections it has. */
static void test_one_vote(void **state)
{
    sample_node s = begin(NULL, -1);
    void *before = NULL;

    (void) state;
    for (int i = 0; i < 10; i++) {
        s.processes[3] = node_add(s.node, 103, (void *) (intptr_t) (i % 2 == 0 ? 103 : 3), &before);
        assert_ptr_equal(before, (void *) (intptr_t) (i % 2 == 0 ? 3 : 103));
    }
    assert_int_equal(node_count(s.node), COUNT);
    run(&s, 5, 0, COUNT);
    for (int i = 0; i < 3; i++) {
        node_hear(s.processes[3], &slow);
        run(&s, 1, 0, COUNT - 1);
    }
    assert_int_equal(level_of(&s), ATW_SCOPE_PROCESS);
    /* another process of that number is another one */
    write_stat(103, 'S', 5000);
    s.processes[3] = node_add(s.node, 103, (void *) 3, &before);
    assert_null(before);
    assert_int_equal(node_count(s.node), COUNT + 1);
    set_state(3, 'S');
    assert_null(node_add(s.node, 999, NULL, &before)); /* there is none */
    end(&s);
}

static atw_scope level_for(const users *u, uid_t who, int64_t *active_p)
{
    atm_value *root = atm_value_object();
    size_t level = 0;

    users_put(u, who, root);
    assert_int_equal(atm_get_choice(root, "level", atw_scope_names, ATW_SCOPES, NULL, &level),
                     ATM_OK);
    assert_int_equal(atm_get_integer(root, "active", 0, 100, NULL, active_p), ATM_OK);
    assert_int_equal(atm_value_find(root, "users") != NULL, who == 0);
    atm_value_destroy(root);
    return (atw_scope) level;
}

/* Three slow processes of somebody else are nobody else's matter, and do not hide behind many that
 * are well. */
static void test_users(void **state)
{
    sample_node s = {.node = NULL};
    users *u = users_new(proc, NULL, "socket", -1);
    void *before = NULL;
    int64_t active;

    (void) state;
    assert_non_null(u);
    for (int i = 0; i < COUNT; i++)
        assert_null(
            users_add(u, i == 0 ? 8 : 9, 100 + i, (void *) (intptr_t) i, &s.processes[i], &before));
    assert_string_equal(users_add(u, 8, 999, NULL, &(node_process *){NULL}, &before),
                        "no such process");
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < COUNT; j++)
            node_hear(s.processes[j], j > 0 && i > 1 ? &slow : &good);
        users_cycle(u, "", hear_told, &s);
    }
    assert_int_equal(level_for(u, 9, &active), ATW_SCOPE_NODE);
    assert_int_equal(active, 3);
    assert_int_equal(level_for(u, 8, &active), ATW_SCOPE_NONE);
    assert_int_equal(active, 1);
    assert_int_equal(level_for(u, 0, &active), ATW_SCOPE_NONE);
    assert_int_equal(active, 0);
    assert_int_equal(s.told[0], ATW_SCOPE_NONE);
    assert_int_equal(s.told[1], ATW_SCOPE_NODE);
    users_remove(u, 8, s.processes[0]);
    users_free(u);
}

static void test_stopped(void **state)
{
    sample_node s = begin(NULL, -1);

    (void) state;
    run(&s, 5, 0, COUNT);
    run(&s, 20, 0, COUNT - 1); /* late, but nobody has stopped it */
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    set_state(COUNT - 1, 'T');
    run(&s, 2, 0, COUNT - 1);
    assert_int_equal(level_of(&s), ATW_SCOPE_PROCESS);
    assert_int_equal(s.told[COUNT - 1], ATW_SCOPE_PROCESS);
    set_state(COUNT - 1, 'S');
    run(&s, 2, 0, COUNT);
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    node_hear(s.processes[COUNT - 1], &idle);
    set_state(COUNT - 1, 'T'); /* one that does nothing */
    run(&s, 5, 0, COUNT - 1);
    assert_int_equal(level_of(&s), ATW_SCOPE_NONE);
    set_state(COUNT - 1, 'S');
    end(&s);
}

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

/* Other things in the folder. */
static void put_strange_files(void)
{
    char path[256], text[256];

    snprintf(path, sizeof(path), "%s/fifo-7.health", all);
    mkfifo(path, 0600);
    snprintf(path, sizeof(path), "%s/link-7.health", all);
    assert_int_equal(symlink("/dev/zero", path), 0);
    snprintf(path, sizeof(path), "%s/garbage-7.health", all);
    write_file(path, "{\"format\": \"romio-autotune-health\", \"version\": 1, \"sequence\": ");
    snprintf(path, sizeof(path), "%s/another-7.health", all);
    write_file(path, "{\"format\": \"romio-autotune-state\", \"version\": 1}");
    snprintf(path, sizeof(path), "%s/old-7.health", all);
    write_file(path, "{\"format\": \"romio-autotune-health\", \"version\": 1, \"sequence\": 5, "
                     "\"time\": 1000, \"processes\": 3, \"suspect\": true}");
    snprintf(path, sizeof(path), "%s/folder-7.health", all);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/somebody-8.health", all); /* of another user, always of now */
    snprintf(text, sizeof(text),
             "{\"format\": \"romio-autotune-health\", \"version\": 1, "
             "\"sequence\": 5, \"time\": %ld, \"processes\": 3, "
             "\"suspect\": true}",
             (long) time(NULL));
    write_file(path, text);
}

static void test_nodes(void **state)
{
    sample_node nodes[2];

    (void) state;
    put_strange_files();
    nodes[0] = begin("one", -1);
    nodes[1] = begin("two", -1);
    /* until both know each other */
    for (int i = 0; i < 600; i++) {
        neighbours_view view[2];

        for (int j = 0; j < 2; j++) {
            run(&nodes[j], 1, 0, COUNT);
            neighbours_ask(nodes[j].others);
            neighbours_see(nodes[j].others, &view[j]);
        }
        if (view[0].group.active == 1 && view[1].group.active == 1)
            break;
        pause_ms(100);
    }
    /* one alone, for all the cycles that others are waited for */
    for (int i = 0; i < 2 * ATW_REASON_WAIT; i++) {
        run(&nodes[0], 1, COUNT, COUNT);
        run(&nodes[1], 1, 0, COUNT);
        pause_ms(10);
    }
    assert_int_equal(level_of(&nodes[0]), ATW_SCOPE_NODE);
    assert_int_equal(level_of(&nodes[1]), ATW_SCOPE_NONE);
    for (int i = 0; i < 600; i++) {
        for (int j = 0; j < 2; j++)
            run(&nodes[j], 1, 1, COUNT); /* one process of each */
        if (level_of(&nodes[0]) == ATW_SCOPE_SYSTEM && level_of(&nodes[1]) == ATW_SCOPE_SYSTEM)
            break;
        pause_ms(100);
    }
    assert_int_equal(level_of(&nodes[0]), ATW_SCOPE_SYSTEM);
    assert_int_equal(level_of(&nodes[1]), ATW_SCOPE_SYSTEM);
    for (int j = 0; j < 2; j++)
        end(&nodes[j]);
}

/* No other cycle: it begins once others were looked at. */
static void test_seen_at_once(void **state)
{
    int news = eventfd(0, EFD_CLOEXEC);
    sample_node s = begin("three", news);
    struct pollfd look = {.fd = news, .events = POLLIN};

    (void) state;
    run(&s, 5, 0, COUNT);
    node_see(s.node, "", hear_told, &s);
    run(&s, 2, 1, COUNT);
    for (int i = 0; i < 100 && level_of(&s) == ATW_SCOPE_NONE; i++) {
        eventfd_t ended;

        assert_int_equal(poll(&look, 1, 60000), 1);
        eventfd_read(news, &ended);
        node_see(s.node, "", hear_told, &s);
    }
    assert_int_equal(level_of(&s), ATW_SCOPE_PROCESS);
    assert_int_equal(s.told[0], ATW_SCOPE_PROCESS);
    end(&s);
    close(news);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_process),  cmocka_unit_test(test_a_node),
        cmocka_unit_test(test_one_vote),     cmocka_unit_test(test_users),
        cmocka_unit_test(test_stopped),      cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_seen_at_once),
    };

    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
