/* The journal of a search: what is kept, what goes on, what is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "search/journal.h"

static const char path[] = "journal.jsonl";

static const char text[] =
    "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["
    "{\"name\": \"cb_nodes\", \"values\": [1, 2, 4]}]}";

static int setup(void **state)
{
    ats_space *space = NULL;

    unlink(path);
    assert_int_equal(ats_space_parse(text, strlen(text), "s.json", NULL, &space), ATM_OK);
    *state = space;
    return 0;
}

static int teardown(void **state)
{
    ats_space_destroy(*state);
    unlink(path);
    unlink("journal.jsonl.lock");
    return 0;
}

static atm_status open_as(const ats_space *space, const char *command, int seed,
                          atm_message *message, ats_journal **journal_p)
{
    atm_value *search = atm_value_object();
    atm_status status;

    atm_put_string(search, "command", command);
    ats_space_write(space, atm_put_object(search, "space"));
    atm_put_integer(search, "seed", seed);
    status = ats_journal_open(path, space, search, message, journal_p);
    atm_value_destroy(search);
    return status;
}

static ats_journal *open_good(const ats_space *space)
{
    atm_message message = {""};
    ats_journal *journal = NULL;

    if (open_as(space, "app", 1, &message, &journal) != ATM_OK)
        fail_msg("%s", message.text);
    return journal;
}

static const ats_trial first = {ATS_EXPLORE, 0, {{0}}}, second = {ATS_EXPLORE, 1, {{3}}},
                       checked = {ATS_CHECK, 1, {{3}}};

/* The id of a process that is gone. */
static pid_t nobody(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    return pid;
}

static void put(ats_journal *journal, const ats_trial *trial, double value)
{
    atm_message message = {""};
    ats_outcome outcome = {.end = ATS_DONE, .value = value, .wall = 2 * value, .calls = 7};
    atm_value *facts = atm_value_object();

    atm_put_integer(facts, "ranks", 8);
    assert_int_equal(ats_journal_start(journal, trial, nobody(), &message), ATM_OK);
    assert_int_equal(ats_journal_result(journal, trial, &outcome, facts, &message), ATM_OK);
    assert_int_equal(ats_journal_read(journal, &message), ATM_OK);
    atm_value_destroy(facts);
}

static void kept(void **state)
{
    ats_journal *journal = open_good(*state);
    const ats_entry *entry;
    int64_t ranks = 0;

    put(journal, &first, 0.1 + 0.2); /* to the last bit */
    put(journal, &checked, 1e-9);
    ats_journal_close(journal);
    journal = open_good(*state);
    entry = ats_journal_find(journal, &first);
    assert_non_null(entry);
    assert_true(entry->outcome.value == 0.1 + 0.2);
    assert_int_equal(entry->outcome.calls, 7);
    assert_int_equal(
        atm_get_integer(atm_value_find(entry->facts, "facts"), "ranks", 0, 10, NULL, &ranks),
        ATM_OK);
    assert_int_equal(ranks, 8);
    assert_non_null(ats_journal_find(journal, &checked));
    assert_null(ats_journal_find(journal, &second));
    ats_journal_close(journal);
}

static void not_of_this_search(void **state)
{
    atm_message message = {""};
    ats_journal *journal = open_good(*state);
    ats_space *other = NULL;
    static const char wider[] =
        "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["
        "{\"name\": \"cb_nodes\", \"values\": [1, 2, 4, 8]}]}";

    ats_journal_close(journal);
    journal = NULL;
    assert_int_equal(open_as(*state, "another", 1, &message, &journal), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "of a search with another command"));
    assert_int_equal(open_as(*state, "app", 2, &message, &journal), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "another seed"));
    assert_int_equal(ats_space_parse(wider, strlen(wider), "s", NULL, &other), ATM_OK);
    assert_int_equal(open_as(other, "app", 1, &message, &journal), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "another space"));
    ats_space_destroy(other);
}

static void append_text(const char *line)
{
    FILE *file = fopen(path, "a");

    fputs(line, file);
    fclose(file);
}

static void damaged(void **state)
{
    atm_message message = {""};
    ats_journal *journal = open_good(*state);

    ats_journal_close(journal);
    journal = NULL;
    append_text("{\"result\": {\"kind\": \"explore\", \"number\": 0, \"point\": [9]}}\n");
    assert_int_equal(open_as(*state, "app", 1, &message, &journal), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "journal.jsonl:2: result.point[0]"));
    unlink(path);
    append_text("garbage\n");
    assert_int_equal(open_as(*state, "app", 1, &message, &journal), ATM_BAD_FILE);
    unlink(path);
    append_text("{\"format\": \"romio-autotune-search\", \"version\": 2}\n");
    assert_int_equal(open_as(*state, "app", 1, &message, &journal), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "version"));
}

/* A machine that goes down leaves any part of the last line. */
static void cut_anywhere(void **state)
{
    static char whole[65536];
    ats_journal *journal = open_good(*state);
    size_t length;
    FILE *file;

    put(journal, &first, 1.5);
    ats_journal_close(journal);
    file = fopen(path, "r");
    length = fread(whole, 1, sizeof(whole) - 1, file);
    fclose(file);
    for (size_t i = 0; i <= length; i += i + 7 < length || i == length ? 7 : length - i) {
        bool complete = i == length;

        file = fopen(path, "w");
        fwrite(whole, 1, i, file);
        fclose(file);
        journal = open_good(*state);
        assert_int_equal(ats_journal_find(journal, &first) != NULL, complete);
        put(journal, &second, 2.5); /* it can be continued */
        ats_journal_close(journal);
        journal = open_good(*state);
        assert_non_null(ats_journal_find(journal, &second));
        ats_journal_close(journal);
    }
}

static void other_points(void **state)
{
    atm_message message = {""};
    ats_journal *journal = open_good(*state);
    ats_trial moved = second;

    put(journal, &second, 1);
    assert_int_equal(ats_journal_check(journal, &second, &message), ATM_OK);
    moved.point.choice[0] = 1;
    assert_int_equal(ats_journal_check(journal, &moved, &message), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "run 1 was of other settings"));
    ats_journal_close(journal);
}

/* A run that outlives its search is waited for, and not made again. */
static void waits_for_runs(void **state)
{
    atm_message message = {""};
    ats_journal *journal = open_good(*state);
    int gate[2];
    pid_t pid, search;

    assert_int_equal(pipe(gate), 0);
    pid = fork();
    if (pid == 0) {
        ats_outcome outcome = {.end = ATS_DONE, .value = 3, .wall = 3};
        char byte;

        close(journal->lock);
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 1)
            _exit(1);
        _exit(ats_journal_result(journal, &second, &outcome, NULL, &message) != ATM_OK);
    }
    close(gate[0]);
    assert_int_equal(ats_journal_start(journal, &second, pid, &message), ATM_OK);
    ats_journal_close(journal);
    search = fork();
    if (search == 0) {
        close(gate[1]); /* the supervisor must not think that it may begin */
        journal = open_good(*state);
        _exit(ats_journal_find(journal, &second) != NULL ? 0 : 1);
    }
    usleep(200000); /* it waits: nothing is there yet */
    assert_int_equal(waitpid(search, NULL, WNOHANG), 0);
    assert_int_equal(write(gate[1], "", 1), 1);
    close(gate[1]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    {
        int code = 1;

        assert_int_equal(waitpid(search, &code, 0), search);
        assert_int_equal(code, 0);
    }
}

/* A run whose supervisor died is as if it had not begun. */
static void forgets_dead_runs(void **state)
{
    atm_message message = {""};
    ats_journal *journal = open_good(*state);
    int gate[2];
    pid_t pid;
    char byte;

    assert_int_equal(pipe(gate), 0);
    pid = fork();
    if (pid == 0) {
        close(gate[1]);
        _exit(read(gate[0], &byte, 1) != 0);
    }
    close(gate[0]);
    assert_int_equal(ats_journal_start(journal, &first, nobody(), &message), ATM_OK);
    assert_int_equal(ats_journal_start(journal, &second, pid, &message), ATM_OK);
    close(gate[1]);
    waitpid(pid, NULL, 0);
    ats_journal_close(journal);
    journal = open_good(*state);
    assert_null(ats_journal_find(journal, &first));
    assert_null(ats_journal_find(journal, &second));
    ats_journal_close(journal);
}

static void one_at_a_time(void **state)
{
    ats_journal *journal = open_good(*state);
    pid_t pid = fork();
    int code = 0;

    if (pid == 0) {
        atm_message message = {""};
        ats_journal *again = NULL;

        close(journal->lock);
        _exit(open_as(*state, "app", 1, &message, &again) == ATM_NO_ACCESS &&
                      strstr(message.text, "another search is at it") != NULL
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(pid, &code, 0), pid);
    assert_int_equal(code, 0);
    ats_journal_close(journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept, setup, teardown),
        cmocka_unit_test_setup_teardown(not_of_this_search, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(other_points, setup, teardown),
        cmocka_unit_test_setup_teardown(waits_for_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(forgets_dead_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(one_at_a_time, setup, teardown)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
