/* A journal survives being cut anywhere; a points file has what was measured. */

#include <unistd.h>

#include "help.h"
#include "calibrate/visits_journal.h"
#include "calibrate/points_file.h"
#include "formats/formats.h"

static char directory[] = "/tmp/autotune-journal.XXXXXX";
static char path[64], out[64];

static int make_directory(void **state)
{
    (void) state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/j", directory);
    snprintf(out, sizeof(out), "%s/points.json", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void) state;
    unlink(path);
    unlink(out);
    return rmdir(directory);
}

static void put_identity(atm_value *plan, const char *ranks)
{
    atm_put_string(plan, "ranks", ranks);
    atm_put_string(plan, "dir", "/a \"quoted\"\nname");
}

static atm_value *header_of(const char *ranks)
{
    atm_value *header = atm_value_object();

    atm_put_string(header, "format", JOURNAL_FORMAT);
    atm_put_integer(header, "version", JOURNAL_VERSION);
    put_identity(atm_put_object(header, "plan"), ranks);
    return header;
}

static void append(journal *journal, int point)
{
    double seconds[] = {1.23456789e-5, 0.5 + point, 3};
    journal_visit visit = {.point = point, .elapsed = 0.25, .seconds = seconds, .count = 3};
    atm_message message;

    journal_now(visit.time);
    assert_int_equal(journal_append(journal, &visit, &message), ATM_OK);
}

static void write_journal(int visits)
{
    journal *journal = NULL;
    atm_message message;

    assert_int_equal(journal_create(path, header_of("8"), &message, &journal), ATM_OK);
    for (int i = 0; i < visits; i++)
        append(journal, i);
    journal_close(journal);
}

static atm_status resume(const char *ranks, atm_message *message, journal **journal_p)
{
    atm_value *plan = atm_value_object();
    atm_status status;

    put_identity(plan, ranks);
    status = journal_resume(path, plan, 100, message, journal_p);
    atm_value_destroy(plan);
    return status;
}

static void test_resume(void **state)
{
    journal *journal = NULL;
    atm_message message = {""};

    (void) state;
    write_journal(3);
    assert_int_equal(resume("8", &message, &journal), ATM_OK);
    assert_int_equal(journal->count, 3);
    assert_int_equal(journal->visits[2].point, 2);
    assert_int_equal(journal->visits[2].count, 3);
    assert_true(journal->visits[2].seconds[0] == 1.23457e-5);
    append(journal, 3);
    assert_true(journal->visits[3].seconds[0] == 1.23457e-5); /* as after reading */
    journal_close(journal);
    assert_int_equal(resume("8", &message, &journal), ATM_OK);
    assert_int_equal(journal->count, 4);
    journal_close(journal);
}

static void cut_at(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");

    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static void append_and_read(journal *journal)
{
    int count = journal->count;
    atm_message message = {""};

    append(journal, 50);
    journal_close(journal);
    assert_int_equal(resume("8", &message, &journal), ATM_OK);
    assert_int_equal(journal->count, count + 1);
    assert_int_equal(journal->visits[count].point, 50);
    journal_close(journal);
}

/* At every length: complete visits are there, and writing goes on. */
static void test_cut(void **state)
{
    atm_message message = {""};
    char text[4096];
    size_t whole;
    FILE *file;

    (void) state;
    write_journal(3);
    file = fopen(path, "r");
    whole = fread(text, 1, sizeof(text), file);
    fclose(file);
    assert_true(whole < sizeof(text));
    for (size_t length = 0; length <= whole; length++) {
        journal *journal = NULL;

        cut_at(text, length);
        assert_int_equal(resume("8", &message, &journal), ATM_OK);
        if (journal == NULL) { /* in its header */
            assert_true(length < whole / 2);
            continue;
        }
        assert_int_equal(journal->count == 3, length == whole);
        if (length % 5 == 0)
            append_and_read(journal); /* takes time: it syncs */
        else
            journal_close(journal);
    }
}

static void test_another_plan(void **state)
{
    journal *journal = NULL;
    atm_message message = {""};

    (void) state;
    write_journal(1);
    assert_int_equal(resume("16", &message, &journal), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "plan.ranks: is 8 there and 16 here"));
    assert_null(journal);
}

static void test_changed(void **state)
{
    static const char *const lines[] = {
        "{\"point\": 100, \"time\": \"t\", \"elapsed\": 1, \"seconds\": [1]}\n",
        "{\"point\": 1, \"time\": \"t\", \"elapsed\": 1, \"seconds\": [0]}\n",
        "{\"point\": 1, \"time\": \"t\", \"elapsed\": 1, \"seconds\": []}\n",
        "nonsense\n{\"point\": 1, \"time\": \"t\", \"elapsed\": 1, \"seconds\": [1]}\n",
    };

    (void) state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        journal *journal = NULL;
        atm_message message = {""};
        FILE *file;

        write_journal(1);
        file = fopen(path, "a");
        fputs(lines[i], file);
        fclose(file);
        assert_int_equal(resume("8", &message, &journal), ATM_BAD_FILE);
        assert_non_null(strstr(message.text, "line 3"));
    }
}

static void test_output(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    atm_value *machine = atm_value_object(), *facts = atm_value_object(), *read = NULL;
    const atm_value *points, *point;
    journal *journal = NULL;
    atm_message message = {""};
    const points_cache caches[] = {{2, 8, 8e6, 1, 4e9, 1e8, 0.25}, {2, 1, 1e6, 1, 3e9, 0, 0}};
    double seconds, bytes;

    (void) state;
    assert_int_equal(journal_create(path, header_of("8"), &message, &journal), ATM_OK);
    append(journal, 5);
    append(journal, 7);
    append(journal, 5);
    assert_int_equal(
        output_write(out, &plan, journal, machine, facts, "host", true, caches, 2, &message),
        ATM_OK);
    assert_int_equal(atm_value_read(out, &message, &read), ATM_OK);
    assert_int_equal(atm_get_array(read, "points", 2, 2, &message, &points), ATM_OK);
    point = atm_value_item(points, 0);
    assert_int_equal(atm_value_length(atm_value_find(point, "visits")), 2);
    assert_int_equal(atm_get_number(point, "seconds", 0, 10, &message, &seconds), ATM_OK);
    assert_true(seconds > 2.83 && seconds < 2.84); /* (0.00001 + 5.5 + 3) / 3 */
    assert_int_equal(atm_value_length(atm_value_find(atm_value_item(points, 1), "visits")), 1);
    assert_int_equal(atm_get_array(read, "caches", 2, 2, &message, &points), ATM_OK);
    assert_int_equal(atm_get_number(atm_value_item(points, 1), "bytes", 0, 1e18, &message, &bytes),
                     ATM_OK);
    assert_true(bytes == 3e9);
    assert_int_equal(atm_get_number(atm_value_item(points, 0), "knee", 0, 1, &message, &bytes),
                     ATM_OK);
    assert_true(bytes == 0.25);
    atm_value_destroy(read);
    atm_value_destroy(machine);
    atm_value_destroy(facts);
    journal_close(journal);
    plan_clear(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),       cmocka_unit_test(test_cut),
        cmocka_unit_test(test_another_plan), cmocka_unit_test(test_changed),
        cmocka_unit_test(test_output),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
