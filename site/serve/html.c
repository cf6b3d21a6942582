/* Links, forms and frames of pages. */

#include "html.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/units.h"

/* --- frame */

static void put_menu(const serve_visit *visit)
{
    fputs("<nav>", visit->out);
    for (int i = 0; serve_pages[i] != NULL; i++) {
        const serve_page *page = serve_pages[i];

        if (page->name == NULL)
            continue;
        fprintf(visit->out, "<a href=\"%s\"%s>", page->path,
                page == visit->page ? " class=\"here\" aria-current=\"page\"" : "");
        page_escape(visit->out, page->name);
        fputs("</a>", visit->out);
    }
    fputs("</nav>\n", visit->out);
}

void html_begin(serve_visit *visit, const char *title, const char *lead)
{
    page_begin_at(visit->out, title, lead, HTML_STYLE_ADDRESS);
    put_menu(visit);
}

void html_end(FILE *out)
{
    page_end(out, "Shown by autotune serve. Times of day are UTC.");
}

/* --- links */

void html_encode(FILE *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *) text; *at != '\0'; at++) {
        bool plain = (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= 'a' && *at <= 'z') || strchr("-._~/", *at) != NULL;

        fprintf(out, plain ? "%c" : "%%%02X", *at);
    }
}

void html_link(FILE *out, const char *before, const char *value, const char *text)
{
    fputs("<a href=\"", out);
    page_escape(out, before);
    html_encode(out, value);
    fputs("\">", out);
    page_escape(out, text[0] != '\0' ? text : "?");
    fputs("</a>", out);
}

void html_cell_link(FILE *out, const char *class, const char *before, const char *value,
                    const char *text)
{
    fprintf(out, class[0] != '\0' ? "<td class=\"%s\">" : "<td>", class);
    html_link(out, before, value, text);
    fputs("</td>", out);
}

static void put_pair(FILE *out, bool *first, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    fprintf(out, "%s%s=", *first ? "?" : "&amp;", name);
    html_encode(out, value);
    *first = false;
}

void html_self(const serve_visit *visit, const char *sort, int64_t page)
{
    char text[ASK_TEXT];
    bool first = true;

    page_escape(visit->out, visit->page->path);
    if (visit->page->numbered)
        fprintf(visit->out, "%lld", (long long) visit->id);
    for (const ask_parameter *at = ask_all; at->name != NULL; at++) {
        if (!ask_takes(visit->page->parameters, at->which))
            continue;
        ask_text(&visit->ask, at, sizeof(text), text);
        if (at->which == ASKED_SORT)
            snprintf(text, sizeof(text), "%s", sort);
        else if (at->which == ASKED_PAGE)
            snprintf(text, page > 1 ? sizeof(text) : 1, "%lld", (long long) page);
        put_pair(visit->out, &first, at->name, text);
    }
}

/* --- forms */

static void put_input(FILE *out, const ask_parameter *parameter, const char *value)
{
    fputs("<label>", out);
    page_escape(out, parameter->label);
    fprintf(out, "<input name=\"%s\"", parameter->name);
    if (parameter->kind == ASK_FLAG) {
        fprintf(out, " type=\"checkbox\" value=\"1\"%s", value[0] != '\0' ? " checked=\"\"" : "");
    } else {
        fprintf(out, " type=\"%s\" value=\"",
                parameter->kind == ASK_TIME      ? "datetime-local"
                : parameter->kind == ASK_INTEGER ? "number"
                                                 : "text");
        page_escape(out, value);
        fprintf(out, "\"%s",
                parameter->kind == ASK_TIME      ? " step=\"1\""
                : parameter->kind == ASK_INTEGER ? " min=\"1\""
                                                 : " size=\"12\"");
    }
    fputs("/></label>\n", out);
}

void html_form(const serve_visit *visit)
{
    char text[ASK_TEXT];

    fputs("<form method=\"get\" action=\"", visit->out);
    page_escape(visit->out, visit->page->path);
    if (visit->page->numbered)
        fprintf(visit->out, "%lld", (long long) visit->id);
    fputs("\">\n", visit->out);
    for (const ask_parameter *at = ask_all; at->name != NULL; at++) {
        if (!ask_takes(visit->page->parameters, at->which))
            continue;
        ask_text(&visit->ask, at, sizeof(text), text);
        if (at->label != NULL) {
            put_input(visit->out, at, text);
        } else if (at->which != ASKED_PAGE && at->which != ASKED_AFTER && text[0] != '\0') {
            fprintf(visit->out, "<input type=\"hidden\" name=\"%s\" value=\"", at->name);
            page_escape(visit->out, text);
            fputs("\"/>\n", visit->out);
        }
    }
    fputs("<button type=\"submit\">show</button></form>\n", visit->out);
}

/* --- names and values */

void html_facts(FILE *out)
{
    fputs("<dl>\n", out);
}

void html_fact(FILE *out, const char *name, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    fputs("<dt>", out);
    page_escape(out, name);
    fputs("</dt><dd>", out);
    page_escape(out, text != NULL ? text : "?");
    fputs("</dd>\n", out);
    free(text);
}

void html_fact_link(FILE *out, const char *name, const char *before, const char *value,
                    const char *text)
{
    fputs("<dt>", out);
    page_escape(out, name);
    fputs("</dt><dd>", out);
    html_link(out, before, value, text);
    fputs("</dd>\n", out);
}

void html_facts_end(FILE *out)
{
    fputs("</dl>\n", out);
}

/* --- values */

const char *html_time(double seconds, char room[HTML_TEXT])
{
    struct tm utc;
    time_t when;

    if (!(fabs(seconds) < ASK_EVER))
        return "?";
    when = (time_t) floor(seconds);
    if (gmtime_r(&when, &utc) == NULL || strftime(room, HTML_TEXT, "%F %T", &utc) == 0)
        return "?";
    return room;
}

const char *html_value(ath_kind kind, const ath_cell *cell, char room[HTML_TEXT])
{
    double number = cell_number(cell);

    switch (kind) {
        case ATH_WORDS:
            return cell_words(cell);
        case ATH_COUNT: /* no rank, no offset: -1 */
            if (number < 0)
                return "-";
            if (cell->type == ATH_INTEGER)
                snprintf(room, HTML_TEXT, "%lld", (long long) cell->integer);
            else
                snprintf(room, HTML_TEXT, "%.0f", number);
            return room;
        case ATH_TIME:
            return html_time(number, room);
        default:
            snprintf(room, HTML_TEXT, "%s",
                     kind == ATH_BYTES     ? units_bytes(number).text
                     : kind == ATH_SECONDS ? units_seconds(number).text
                                           : units_seconds(number / 1e9).text);
            return room;
    }
}
