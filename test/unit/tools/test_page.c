/* Pages and charts: ticks, escaping, values that cannot be drawn, saving.  With
 * an argument, a page of everything goes there instead, for test/tools/report.sh. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/page.h"
#include "report/svg.h"
#include "common/units.h"

static const char hostile[] = "<script>alert(\"1\")</script> & 'x' \x01\xff\xc0\xaf \xe2\x82\xac";

/* --- helpers */

/* What escaping gives; free it. */
static char *escaped(const char *text)
{
    char *result = NULL;
    size_t length;
    FILE *out = open_memstream(&result, &length);

    assert_non_null(out);
    page_escape(out, text);
    fclose(out);
    return result;
}

static svg_axis axis_of(svg_unit unit, bool log, double min, double max)
{
    svg_axis axis = {.label = "", .unit = unit, .log = log};

    svg_include(&axis, (double[]){min, max}, 2);
    svg_round(&axis);
    return axis;
}

static int times_in(const char *text, const char *word)
{
    int count = 0;

    while ((text = strstr(text, word)) != NULL) {
        text += strlen(word);
        count++;
    }
    return count;
}

/* --- units */

static void test_units(void **state)
{
    (void) state;
    assert_string_equal(units_seconds(1.5e-6).text, "1.5 us");
    assert_string_equal(units_seconds(0.9999999).text, "1 s");
    assert_string_equal(units_seconds(5333).text, "5333 s");
    assert_string_equal(units_seconds(NAN).text, "-");
    assert_string_equal(units_bytes(16777216).text, "16 MiB");
    assert_string_equal(units_bytes(1023).text, "1023 B");
    assert_string_equal(units_bytes(INFINITY).text, "-");
    assert_string_equal(units_rate(1.25e9).text, "1.25 GB/s");
    assert_string_equal(units_share(0.1234).text, "12.3 %");
    assert_string_equal(units_number(0.5).text, "0.5");
}

/* --- axes */

static void test_ticks_log(void **state)
{
    svg_axis axis = axis_of(SVG_SECONDS, true, 3e-6, 0.02);
    double ticks[SVG_TICKS];

    (void) state;
    assert_int_equal(svg_ticks(&axis, ticks), 6);
    assert_true(fabs(ticks[0] - 1e-6) < 1e-12);
    assert_true(fabs(ticks[5] - 0.1) < 1e-9);
    axis = axis_of(SVG_BYTES, true, 1, 1 << 20);
    assert_int_equal(svg_ticks(&axis, ticks), 6);
    assert_true(ticks[1] == 16 && ticks[5] == 1 << 20);
}

static void test_ticks_linear(void **state)
{
    svg_axis axis = axis_of(SVG_NUMBER, false, -3, 57);
    double ticks[SVG_TICKS];
    int count = svg_ticks(&axis, ticks);

    (void) state;
    assert_true(axis.min == -10 && axis.max == 60);
    assert_int_equal(count, 8);
    assert_true(ticks[0] == -10 && ticks[1] == 0 && ticks[7] == 60);
    axis = axis_of(SVG_BYTES, false, 0, 15e6); /* whole MiB */
    count = svg_ticks(&axis, ticks);
    assert_true(axis.max == 16 << 20 && ticks[1] == 4 << 20);
    assert_int_equal(count, 5);
}

/* Nothing, one value, and values that cannot be shown still make an axis. */
static void test_odd_axes(void **state)
{
    const double odd[] = {NAN, -1, 0, INFINITY};
    svg_axis none = {.label = "", .log = true}, one = {.label = ""};
    double ticks[SVG_TICKS];

    (void) state;
    svg_include(&none, odd, 4);
    svg_round(&none);
    assert_true(none.min > 0 && none.max > none.min);
    svg_include(&one, (double[]){5}, 1);
    svg_round(&one);
    assert_true(one.min < 5 && one.max > 5);
    assert_true(svg_ticks(&one, ticks) >= 2);
    for (double max = 1e-30; max < 1e30; max *= 7.3) {
        svg_axis axis = axis_of(SVG_NUMBER, max > 1, max / 3, max);
        int count = svg_ticks(&axis, ticks);

        assert_in_range(count, 2, SVG_TICKS);
        assert_true(axis.min <= max / 3 && axis.max >= max * (1 - 1e-9));
    }
}

/* --- text */

static void test_escape(void **state)
{
    char *text = escaped(hostile);

    (void) state;
    assert_string_equal(text, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 'x' ???? "
                              "\xe2\x82\xac");
    free(text);
    text = escaped("a\xe2\x80\xae"
                   "b\xe2\x81\xa6\xd8\x9c\xc2\x9b\n\xc3\xa9"); /* U+202E and others */
    assert_string_equal(text, "a?b???\n\xc3\xa9");
    free(text);
    text = escaped("\xe2\x82"); /* cut off */
    assert_string_equal(text, "??");
    free(text);
    /* too long, half of a pair, beyond the last, no character, delete */
    text = escaped("\xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xef\xbf\xbe \x7f");
    assert_string_equal(text, "??? ??? ???? ? ?");
    free(text);
}

/* --- a style sheet of its own */

static void test_begin_at(void **state)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    (void) state;
    page_begin_at(out, hostile, hostile, "/a\"b.css");
    page_end(out, "");
    fclose(out);
    assert_non_null(strstr(text, "href=\"/a&quot;b.css\""));
    assert_null(strstr(text, "<style"));
    assert_null(strstr(text, "<script"));
    assert_non_null(strstr(page_style(), "color-scheme"));
    free(text);
}

/* --- charts */

static void draw_chart(FILE *out)
{
    const double x[] = {1, 10, NAN, 100, 1000}, y[] = {1, 20, 3, -1, 500};
    svg_chart chart = {.title = hostile,
                       .description = hostile,
                       .x = {.label = hostile, .unit = SVG_BYTES, .log = true},
                       .y = {.label = "y", .unit = SVG_SECONDS, .log = true}};
    svg_entry legend[] = {{hostile, SVG_MARK_POINT, 1}, {"line", SVG_MARK_LINE, 2}};

    svg_include(&chart.x, x, 5);
    svg_include(&chart.y, y, 5);
    svg_begin(out, &chart);
    for (int colour = 0; colour < SVG_COLOURS; colour++)
        svg_points(out, &chart, &(svg_series){.colour = colour, .count = 5, .x = x, .y = y});
    svg_line(out, &chart, &(svg_series){.colour = 2, .count = 5, .x = x, .y = y});
    svg_spans(out, &chart, &(svg_series){.colour = 3, .count = 5, .x = x, .y = y}, y);
    svg_reference(out, &chart, 1, 1, 1000, 1000);
    svg_legend(out, &chart, legend, 2);
    svg_end(out, &chart);
}

static void draw_heat(FILE *out, const double *values, bool dense)
{
    const char *const names[] = {"1", hostile};
    const bool dim[] = {false, true, false, false};
    const svg_flag flags[] = {{0, 1, "D", hostile}, {0, 1, "C", "chosen"}};
    svg_heat heat = {.title = hostile,
                     .description = "d",
                     .x_label = "x",
                     .y_label = hostile,
                     .unit = SVG_SECONDS,
                     .rows = 2,
                     .columns = 2,
                     .row_names = names,
                     .column_names = names,
                     .values = values,
                     .dim = dim,
                     .flags = flags,
                     .flag_count = 2};

    heat.dense = dense;
    heat.nothing = dense ? hostile : NULL;
    svg_heat_map(out, &heat);
}

/* Only the three of five points that can be shown are. */
static void test_chart(void **state)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    (void) state;
    draw_chart(out);
    fclose(out);
    assert_int_equal(times_in(text, "class=\"p c0\""), 3);
    assert_int_equal(times_in(text, "class=\"p c1\""), 3 + 1);
    assert_int_equal(times_in(text, "nan"), 0);
    assert_int_equal(times_in(text, "inf"), 0);
    assert_int_equal(times_in(text, "<script"), 0);
    assert_int_equal(times_in(text, "<title>"), 1);
    assert_int_equal(times_in(text, "<desc>"), 1);
    free(text);
}

static void test_heat(void **state)
{
    const double some[] = {1, 2, NAN, 4}, none[] = {NAN, NAN, NAN, NAN}, same[] = {2, 2, 2, 2};
    const double *const all[] = {some, none, same};
    const int cells[] = {3, 0, 4};

    (void) state;
    for (int i = 0; i < 3; i++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);

        draw_heat(out, all[i], false);
        fclose(out);
        /* empty cells, and what they mean in the key */
        assert_int_equal(times_in(text, "class=\"none\""), 4 - cells[i] + (cells[i] < 4));
        assert_int_equal(times_in(text, "empty: no candidate"), cells[i] < 4);
        /* a cell that is not allowed has text of its own and is in the key */
        assert_int_equal(times_in(text, "class=\"ondim\""), cells[i] > 0);
        assert_int_equal(times_in(text, "pale: not allowed"), cells[i] > 0);
        assert_int_equal(times_in(text, "class=\"flag\""), 2);
        assert_int_equal(times_in(text, "nan"), 0);
        assert_int_equal(times_in(text, "<script"), 0);
        free(text);
    }
}

/* Cells without text, and their own words for empty ones. */
static void test_dense_heat(void **state)
{
    static const double values[] = {1, 2, NAN, 4};
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    (void) state;
    draw_heat(out, values, true);
    fclose(out);
    assert_int_equal(times_in(text, "class=\"ondim\""), 0);
    assert_int_equal(times_in(text, "class=\"none\""), 1 + 1);
    assert_int_equal(times_in(text, "empty: no candidate"), 0);
    assert_int_equal(times_in(text, "<script"), 0);
    free(text);
}

/* --- pages */

static void fill_page(FILE *out)
{
    static const double values[] = {1, 2, NAN, 4};
    static const page_column columns[] = {{"name", false}, {hostile, true}};

    page_begin(out, hostile, hostile);
    page_links(out, (page_link[]){{"one", hostile}}, 1);
    page_section(out, "one", hostile);
    page_cards(out);
    page_card(out, "1", hostile);
    page_cards_end(out);
    page_heading(out, "%s", hostile);
    page_text(out, "%s %d", hostile, 1);
    page_warning(out, "%s", hostile);
    page_figures(out);
    page_figure(out);
    draw_chart(out);
    page_figure_end(out, hostile);
    page_figures_end(out);
    draw_heat(out, values, false);
    draw_heat(out, values, true);
    page_details(out, hostile);
    page_table(out, hostile, columns, 2);
    page_row(out, true);
    page_cell(out, &columns[0], "%s", hostile);
    page_cell(out, &columns[1], "%d", 1);
    page_row_end(out);
    page_table_end(out);
    page_details_end(out);
    page_section_end(out);
    page_end(out, hostile);
}

static atm_status save(const char *path, atm_message *message)
{
    page *page;
    atm_status status = page_open(&page);

    if (status != ATM_OK)
        return status;
    fill_page(page->out);
    status = page_save(page, path, message);
    page_close(page);
    return status;
}

static void test_save(void **state)
{
    char folder[] = "/tmp/test_page.XXXXXX", path[64], message_start[96];
    atm_message message = {""};

    (void) state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/page.html", folder);
    assert_int_equal(save(path, &message), ATM_OK);
    assert_int_equal(save(path, &message), ATM_OK);
    assert_int_equal(access(path, R_OK), 0);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left there */
    assert_int_equal(save(path, &message), ATM_NO_ACCESS);
    snprintf(message_start, sizeof(message_start), "%s: cannot be created: ", path);
    assert_int_equal(strncmp(message.text, message_start, strlen(message_start)), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),        cmocka_unit_test(test_ticks_log),
        cmocka_unit_test(test_ticks_linear), cmocka_unit_test(test_odd_axes),
        cmocka_unit_test(test_escape),       cmocka_unit_test(test_chart),
        cmocka_unit_test(test_heat),         cmocka_unit_test(test_dense_heat),
        cmocka_unit_test(test_save),         cmocka_unit_test(test_begin_at),
    };
    atm_message message = {""};

    if (argc > 1)
        return save(argv[1], &message) == ATM_OK ? 0 : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
