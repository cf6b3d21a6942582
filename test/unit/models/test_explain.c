/* Explanations: whole texts and documents, against files that were read by
 * people; and the same in every locale. */

#include "choose_help.h"

#include <limits.h>
#include <locale.h>

#include "choose/explain.h"

/* Powers of two throughout, so that every digit is exact. */
static atm_profile *exact_profile(void)
{
    return simple_profile(0.25, 0x1p-30, 0.25);
}

static char *read_file(const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[4096], *text = calloc(1, 1 << 20);
    FILE *file;

    snprintf(path, sizeof(path), "%s/test/unit/models/%s", top != NULL ? top : ".", name);
    file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* A difference is shown with the lines around it. */
static void check_text(const char *text, const char *name)
{
    char *expected = read_file(name);
    size_t same = 0, line = 1, start = 0;

    while (text[same] != '\0' && text[same] == expected[same]) {
        if (text[same++] == '\n') {
            line++;
            start = same;
        }
    }
    if (text[same] != expected[same])
        fail_msg("line %zu is\n%.*s\nnot as in %s\n%.*s", line, (int) strcspn(text + start, "\n"),
                 text + start, name, (int) strcspn(expected + start, "\n"), expected + start);
    free(expected);
}

static char *text_of(const atm_request *request, const atm_profile *profile, int rows)
{
    atm_choice *choice = NULL;
    char *text = NULL;

    assert_int_equal(atm_choose(request, profile, &choice), ATM_OK);
    assert_int_equal(atm_explain_text(request, profile, choice, rows, &text), ATM_OK);
    atm_choice_destroy(choice);
    return text;
}

static char *json_of(const atm_request *request, const atm_profile *profile)
{
    atm_choice *choice = NULL;
    atm_value *document = NULL;
    char *text = NULL;
    size_t length;

    assert_int_equal(atm_choose(request, profile, &choice), ATM_OK);
    assert_int_equal(atm_explain_value(request, profile, choice, &document), ATM_OK);
    atm_choice_destroy(choice);
    assert_int_equal(atm_value_print(document, &text, &length), ATM_OK);
    atm_value_destroy(document);
    return text;
}

/* A write on GPFS for which cb_nodes is fixed, whole. */
static atm_request gpfs_request(const atm_profile *profile)
{
    atm_request request = request_for(ATM_GPFS, 4, 4, 32 * MIB, profile);

    request.fixed = 1u << ATM_FIX_AGGREGATORS;
    request.memory = 256 * MIB;
    request.whole = true;
    return request;
}

/* An interleaved write of a new file on Lustre. */
static atm_request lustre_request(const atm_profile *profile)
{
    atm_request request = request_for(ATM_LUSTRE, 4, 2, 8 * MIB, profile);

    make_strided(&request.access, MIB);
    request.mode = ATM_ENABLE;
    request.whole = true;
    return request;
}

/* Uneven, with holes, of an existing file; the default is kept. */
static atm_request uneven_request(const atm_profile *profile)
{
    atm_request request = request_for(ATM_UFS, 2, 2, 3000, profile);

    request.access.write = request.access.new_file = request.new_layout = false;
    request.access.holes = true;
    request.access.bytes_min = 1000;
    request.access.bytes = 10000;
    request.access.end = 65535;
    return request;
}

static void texts(void **state)
{
    atm_profile *profile = exact_profile();
    atm_request gpfs = gpfs_request(profile), lustre = lustre_request(profile);
    atm_request uneven = uneven_request(profile);
    char *text;

    (void) state;
    text = text_of(&gpfs, profile, INT_MAX);
    check_text(text, "explain-gpfs.expected");
    free(text);
    text = text_of(&lustre, profile, 5);
    check_text(text, "explain-lustre.expected");
    free(text);
    text = text_of(&uneven, profile, 3);
    check_text(text, "explain-uneven.expected");
    free(text);
    atm_profile_destroy(profile);
}

static void documents(void **state)
{
    atm_profile *profile = exact_profile();
    atm_request gpfs = gpfs_request(profile);
    char *text = json_of(&gpfs, profile);

    (void) state;
    check_text(text, "explain-gpfs-json.expected");
    free(text);
    atm_profile_destroy(profile);
}

/* The parts make up the time, the counts the parts. */
static void document_adds_up(void **state)
{
    atm_profile *profile = exact_profile();
    atm_request gpfs = gpfs_request(profile);
    const atm_value *candidate, *parts, *items;
    atm_value *root = NULL;
    char *text = json_of(&gpfs, profile);
    double sum = 0, seconds, number, count;
    int64_t chosen;

    (void) state;
    assert_int_equal(atm_value_parse(text, strlen(text), "decision", NULL, &root), ATM_OK);
    free(text);
    assert_int_equal(atm_get_integer(root, "chosen", 0, 10000, NULL, &chosen), ATM_OK);
    candidate = atm_value_item(atm_value_find(root, "candidates"), (size_t) chosen);
    assert_int_equal(atm_get_number(candidate, "seconds", 0, 1e9, NULL, &seconds), ATM_OK);
    parts = atm_value_find(candidate, "parts");
    for (int i = 0; i < ATM_PART_COUNT; i++) {
        assert_int_equal(atm_get_number(parts, atm_part_name((atm_part) i), 0, 1e9, NULL, &number),
                         ATM_OK);
        sum += number;
    }
    assert_true(sum == seconds);
    items = atm_value_find(atm_value_find(root, "counts"), "chosen");
    for (size_t i = 0; i < atm_value_length(items); i++) {
        assert_int_equal(atm_get_number(atm_value_item(items, i), "seconds", 0, 1e9, NULL, &number),
                         ATM_OK);
        assert_int_equal(atm_get_number(atm_value_item(items, i), "count", 0, 1e9, NULL, &count),
                         ATM_OK);
        sum -= count * number;
    }
    assert_true(sum == 0);
    atm_value_destroy(root);
    atm_profile_destroy(profile);
}

/* Candidates that were not predicted to the end have no numbers. */
static void cut_short(void **state)
{
    atm_profile *profile = exact_profile();
    atm_request gpfs = gpfs_request(profile);
    char *text;

    (void) state;
    gpfs.whole = false;
    gpfs.fixed = 0;
    text = json_of(&gpfs, profile);
    assert_non_null(strstr(text, "\"slower\""));
    free(text);
    text = text_of(&gpfs, profile, INT_MAX);
    assert_non_null(strstr(text, "  slower\n"));
    free(text);
    atm_profile_destroy(profile);
}

/* A German locale made for the occasion; false where that cannot be. */
static bool use_german(char *directory)
{
    char command[256];

    if (mkdtemp(directory) == NULL)
        return false;
    snprintf(command, sizeof(command),
             "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 > /dev/null 2>&1", directory);
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", directory, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void any_locale(void **state)
{
    char directory[] = "/tmp/autotune-locale.XXXXXX", command[64];
    atm_profile *profile = exact_profile();
    atm_request gpfs = gpfs_request(profile);
    bool german = use_german(directory);
    char *text = NULL, *document = NULL, half[8] = "";

    (void) state;
    if (german) {
        snprintf(half, sizeof(half), "%.1f", 0.5);
        text = text_of(&gpfs, profile, INT_MAX);
        document = json_of(&gpfs, profile);
    }
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof(command), "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
    atm_profile_destroy(profile);
    if (!german)
        skip();
    assert_string_equal(half, "0,5");
    check_text(text, "explain-gpfs.expected");
    check_text(document, "explain-gpfs-json.expected");
    free(text);
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(documents),
        cmocka_unit_test(document_adds_up),
        cmocka_unit_test(cut_short),
        cmocka_unit_test(any_locale),
    };

    return cmocka_run_group_tests_name("explanation", tests, NULL, NULL);
}
