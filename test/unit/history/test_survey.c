/* Surveys of several processes of a job. */

#include "unit/history/history_help.h"

#include "history/survey.h"

static void put_process(ath_database *d, int id, const char *job)
{
    char sql[512];
    atm_message message = {""};

    snprintf(sql, sizeof(sql),
             "INSERT INTO process (id, source, host, pid, uid, username, program, arguments, job, "
             "rank, ranks, started, monotonic, activities, dropped, began, lasted) VALUES (%d, %d, "
             "'h', %d, 0, 'u', 'p', '', '%s', %d, 4, 1, 0, 0, 0, 0, 1)",
             id, id, id, job, id);
    if (ath_run(d, sql, NULL, 0, &message) != ATH_OK)
        fail_msg("%s", message.text);
}

static void put_document(ath_database *d, int id, const char *text)
{
    ath_cell cells[] = {ath_integer(id), ath_text(text)};

    assert_int_equal(
        ath_run(d, "INSERT INTO survey (process, document) VALUES ($1, $2)", cells, 2, NULL),
        ATH_OK);
}

static const ath_spread *spread_of(const ath_survey_file *file, const char *name)
{
    for (int i = 0; i < ATH_MEASURES; i++)
        if (strcmp(ath_measures[i].name, name) == 0)
            return &file->spreads[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static void assert_spread(const ath_survey_file *file, const char *name, double average,
                          double least, double most)
{
    const ath_spread *s = spread_of(file, name);

    assert_true(s->sum / (double) file->processes > average - 1e-9);
    assert_true(s->sum / (double) file->processes < average + 1e-9);
    assert_true(s->least == least && s->most == most);
}

static void put_ranks(ath_database *d)
{
    for (int i = 1; i <= 4; i++) {
        char text[1024];

        put_process(d, i, "77");
        snprintf(text, sizeof(text),
                 "{\"module\": \"survey\", \"left_out\": 1, \"files\": [{\"file\": 1, \"path\": "
                 "\"/a\", \"layer\": \"posix\", \"open\": [1, 1000000000], \"read\": {\"calls\": "
                 "%d, \"bytes\": %d, \"ns\": 500000000, \"errors\": 0, \"sequential\": 0, "
                 "\"strided\": %d, \"short\": 0, \"long\": 0, \"stride\": 7, \"seek_bytes\": %d, "
                 "\"sizes\": [1, 2]}}%s]}",
                 10 * i, 1000 * i, 10 * i, 500 * i,
                 i == 2 ? ", {\"file\": 2, \"path\": \"/b\", \"layer\": \"mpi\"}" : "");
        put_document(d, i, text);
    }
}

static void test_spreads(void **state)
{
    ath_database *d = empty_history();
    ath_survey s;
    const ath_survey_file *file;

    (void) state;
    put_ranks(d);
    assert_int_equal(ath_survey_read(d, "77", NULL, &s), ATH_OK);
    assert_int_equal(s.processes, 4);
    assert_int_equal(s.left_out, 4);
    assert_int_equal(s.count, 2);
    file = &s.files[0];
    assert_string_equal(file->path, "/a");
    assert_int_equal(file->processes, 4);
    assert_spread(file, "accesses", 25, 10, 40);
    assert_spread(file, "reads", 25, 10, 40);
    assert_spread(file, "reading, bytes", 2500, 1000, 4000);
    assert_spread(file, "reading, bytes per access", 100, 100, 100);
    assert_spread(file, "reading, bytes per seek", 50, 50, 50);
    assert_spread(file, "opening", 1, 1, 1);
    assert_spread(file, "time", 1.5, 1.5, 1.5);
    assert_spread(file, "writes", 0, 0, 0);
    assert_string_equal(s.files[1].path, "/b");
    assert_int_equal(s.files[1].processes, 1);
    ath_survey_clear(&s);
    assert_int_equal(ath_survey_read(d, "78", NULL, &s), ATH_OK);
    assert_int_equal(s.processes, 0);
    ath_survey_clear(&s);
    ath_close(d);
}

static void test_strange_documents(void **state)
{
    static const char *const texts[] = {
        "{\"module\": \"survey\", \"files\": 5}",
        "{\"module\": \"survey\", \"files\": [5, {}, {\"path\": \"/x\"}]}",
        "{\"module\": \"histogram\", \"survey\": 1}", "{\"survey\"",
        ("{\"module\": \"survey\", \"files\": [{\"path\": \"/x\", \"layer\": \"posix\", \"read\": "
         "{\"calls\": -5, \"bytes\": \"many\"}, \"open\": [1], \"close\": \"no\"}]}")};
    ath_database *d = empty_history();
    ath_survey s;

    (void) state;
    put_process(d, 1, "9");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        put_document(d, 1, texts[i]);
    assert_int_equal(ath_survey_read(d, "9", NULL, &s), ATH_OK);
    assert_int_equal(s.count, 1);
    assert_spread(&s.files[0], "reads", 0, 0, 0);
    ath_survey_clear(&s);
    ath_close(d);
}

static void test_many_files(void **state)
{
    ath_database *d = empty_history();
    ath_survey s;

    (void) state;
    for (int i = 1; i <= 3; i++) {
        char *text = malloc(1 << 20);
        size_t length = (size_t) sprintf(text, "{\"module\": \"survey\", \"files\": [");

        put_process(d, i, "9");
        for (int j = 0; j < 900; j++)
            length += (size_t) sprintf(text + length,
                                       "%s{\"path\": \"/f%d\", \"layer\": \"stdio\", \"write\": "
                                       "{\"calls\": %d, \"ns\": %d}}",
                                       j > 0 ? ", " : "", j, i, j);
        sprintf(text + length, "]}");
        put_document(d, i, text);
        free(text);
    }
    assert_int_equal(ath_survey_read(d, "9", NULL, &s), ATH_OK);
    assert_int_equal(s.count, 900);
    assert_string_equal(s.files[0].path, "/f899");
    for (size_t i = 0; i < s.count; i++)
        assert_spread(&s.files[i], "writes", 2, 1, 3);
    ath_survey_clear(&s);
    ath_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spreads),
        cmocka_unit_test(test_strange_documents),
        cmocka_unit_test(test_many_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
