/* Configuration files of H5Tuner. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "search/h5tuner.h"

/* Figure 5 of the paper, with what else its authors' files have. */
static const char figure[] =
    "<?xml version=\"1.0\"?>\n"
    "<!-- a comment <with> marks -->\n"
    "<Parameters>\n"
    "  <High_Level_IO_Library>\n"
    "    <alignment> 0, 65536 </alignment>\n"
    "  </High_Level_IO_Library>\n"
    "  <Middleware_Layer>\n"
    "    <cb_buffer_size> 1048576 </cb_buffer_size>\n"
    "    <cb_nodes> 32 </cb_nodes>\n"
    "    <bgl_nodes_pset> 64 </bgl_nodes_pset>\n"
    "  </Middleware_Layer>\n"
    "  <Parallel_File_System>\n"
    "    <striping_factor FileName=\"sample_dataset.h5part\"> 4 </striping_factor>\n"
    "    <striping_factor> 16 </striping_factor>\n"
    "    <striping_unit> 65536 </striping_unit>\n"
    "  </Parallel_File_System>\n"
    "</Parameters>\n";

static void the_papers_file(void **state)
{
    atm_message message = {""};
    atm_advice *advice = NULL;
    char left_out[64];

    (void) state;
    if (ats_import_text(figure, strlen(figure), "c.xml", &message, sizeof(left_out), left_out,
                        &advice) != ATM_OK)
        fail_msg("%s", message.text);
    assert_string_equal(left_out, "bgl_nodes_pset");
    assert_int_equal(advice->count, 2);
    assert_string_equal(advice->rules[0].file, "*sample_dataset.h5part");
    assert_int_equal(advice->rules[0].set.values[ATM_SET_STRIPING_FACTOR], 4);
    assert_int_equal(advice->rules[0].set.values[ATM_SET_CB_NODES], 32);
    assert_string_equal(advice->rules[1].file, "*");
    assert_int_equal(advice->rules[1].set.values[ATM_SET_STRIPING_FACTOR], 16);
    assert_int_equal(advice->rules[1].set.values[ATM_SET_STRIPING_UNIT], 65536);
    assert_int_equal(advice->rules[1].set.values[ATM_SET_CB_BUFFER_SIZE], 1048576);
    assert_int_equal(advice->rules[1].set.values[ATM_SET_HDF5_ALIGNMENT], 65536);
    assert_int_equal(advice->rules[1].set.threshold, 0);
    assert_int_equal(advice->rules[1].evidence.source, ATM_BY_HAND);
    atm_advice_destroy(advice);
}

static void refused(const char *text, const char *expected)
{
    atm_message message = {""};
    atm_advice *advice = NULL;
    char left_out[64];

    assert_int_equal(
        ats_import_text(text, strlen(text), "c.xml", &message, sizeof(left_out), left_out, &advice),
        ATM_BAD_FILE);
    assert_null(advice);
    if (strstr(message.text, expected) == NULL)
        fail_msg("%s, not %s", message.text, expected);
}

#define IN(text) "<Parameters>\n<M>" text "</M></Parameters>"

static void bad_files(void **state)
{
    (void) state;
    refused("", "c.xml:1: no element found");
    refused("cats", "c.xml:1: syntax error");
    refused("<Settings><M><cb_nodes>1</cb_nodes></M></Settings>", "must be Parameters");
    refused(IN(""), "sets nothing that is known");
    refused(IN("<cats>1</cats>"), "sets nothing that is known");
    refused(IN("<cb_nodes>many</cb_nodes>"), "c.xml:2: cb_nodes: must be a number");
    refused(IN("<cb_nodes>1, 2</cb_nodes>"), "cb_nodes: must be a number");
    refused(IN("<cb_nodes>0</cb_nodes>"), "c.xml:2: cb_nodes");
    refused(IN("<cb_nodes>-1</cb_nodes>"), "c.xml:2: cb_nodes");
    refused(IN("<cb_nodes>99999999999999999999999</cb_nodes>"), "c.xml:2: cb_nodes");
    refused(IN("<alignment>1</alignment>"), "c.xml:2: alignment");
    refused(IN("<striping_unit>100000</striping_unit>"), "must be a multiple of 65536");
    refused(IN("<cb_nodes File=\"x\">1</cb_nodes>"), "attribute must be the FileName");
    refused(IN("<cb_nodes FileName=x>1</cb_nodes>"), "c.xml:2: not well-formed");
    refused(IN("<cb_nodes FileName=\"&x;\">1</cb_nodes>"), "c.xml:2: undefined entity");
    refused("<Parameters><M></Parameters></M>", "mismatched tag");
    refused("<Parameters>", "an element has no end");
    refused("<Parameters/><Parameters/>", "junk after document element");
    refused("<!DOCTYPE x [<!ENTITY e \"e\">]><Parameters/>",
            "c.xml:1: document types are not read");
    refused("<!DOCTYPE x SYSTEM \"/etc/passwd\"><Parameters>&x;</Parameters>", "document types");
    refused(IN("<cb_nodes>\xff</cb_nodes>"), "c.xml:2: not well-formed");
    refused(IN("<cb_nodes a=\"\" b=\"\" c=\"\" d=\"\" e=\"\">1</cb_nodes>"), "too many attributes");
    refused("<Parameters>x<M/></Parameters>", "text beside elements");
    refused("<Parameters><!-- x</Parameters>", "unclosed token");
}

/* Encodings, character references, sections of text, and more spaces than a text may have. */
static void other_writings(void **state)
{
    static const char *const texts[] = {
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Parameters><M>%*s<cb_nodes "
        "FileName=\"\xe9\">"
        "32</cb_nodes></M></Parameters>",
        "<Parameters><M>%*s<cb_nodes FileName='&#233;'><![CDATA[3]]>&#50;</cb_nodes><?x y?></M>"
        "</Parameters>"};

    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        atm_message message = {""};
        atm_advice *advice = NULL;
        char text[4096], left_out[8];

        snprintf(text, sizeof(text), texts[i], 2000, "");
        if (ats_import_text(text, strlen(text), "c.xml", &message, sizeof(left_out), left_out,
                            &advice) != ATM_OK)
            fail_msg("%s", message.text);
        assert_string_equal(advice->rules[0].file, "*\xc3\xa9");
        assert_int_equal(advice->rules[0].set.values[ATM_SET_CB_NODES], 32);
        atm_advice_destroy(advice);
    }
}

/* Cut anywhere and with any byte changed: no crash, nothing read beyond. */
static void broken_files(void **state)
{
    size_t length = strlen(figure);

    (void) state;
    for (size_t i = 0; i < length; i++)
        for (int change = 0; change < 4; change++) {
            static const char bytes[] = {'<', '>', '\0', '&'};
            size_t size = change == 0 ? i : length;
            char *exact = malloc(size > 0 ? size : 1), left_out[32];
            atm_advice *advice = NULL;

            memcpy(exact, figure, size);
            if (change > 0)
                exact[i] = bytes[change];
            if (ats_import_text(exact, size, "c.xml", &(atm_message){""}, sizeof(left_out),
                                left_out, &advice) == ATM_OK)
                atm_advice_destroy(advice);
            free(exact);
        }
}

static void no_such_file(void **state)
{
    atm_message message = {""};
    atm_advice *advice = NULL;
    char left_out[8];

    (void) state;
    assert_int_equal(ats_import("/nowhere.xml", &message, sizeof(left_out), left_out, &advice),
                     ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "/nowhere.xml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_file), cmocka_unit_test(bad_files),
        cmocka_unit_test(other_writings), cmocka_unit_test(broken_files),
        cmocka_unit_test(no_such_file)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
