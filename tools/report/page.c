/* Pages: opening, saving, escaping. */

#include "page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "value/text_output.h"
#include "value/value_text.h"

atm_status page_open(page **page_p)
{
    page *page = calloc(1, sizeof(*page)); /* page_close */

    if (page == NULL)
        return ATM_NO_MEMORY;
    page->out = open_memstream(&page->text, &page->length);
    if (page->out == NULL) {
        free(page);
        return ATM_NO_MEMORY;
    }
    *page_p = page;
    return ATM_OK;
}

void page_close(page *page)
{
    if (page == NULL)
        return;
    if (page->out != NULL)
        fclose(page->out);
    free(page->text);
    free(page);
}

atm_status page_save(page *page, const char *path, atm_message *message)
{
    bool whole = !ferror(page->out);

    whole = fclose(page->out) == 0 && whole;
    page->out = NULL;
    return whole ? atm_text_write(path, page->text, page->length, message) : ATM_NO_MEMORY;
}

void page_escape(FILE *out, const char *text)
{
    const char *at = text, *end = text + strlen(text);

    while (at < end) {
        size_t length = atm_shown_length(at, end), step = atm_utf8_length(at, end);

        if (*at == '\n' || *at == '\t')
            fputc(*at, out);
        else if (length == 0)
            fputc('?', out);
        else if (*at == '<')
            fputs("&lt;", out);
        else if (*at == '>')
            fputs("&gt;", out);
        else if (*at == '&')
            fputs("&amp;", out);
        else if (*at == '"')
            fputs("&quot;", out);
        else
            fwrite(at, 1, length, out);
        at += step > 0 ? step : 1;
    }
}

static void print_arguments(FILE *out, const char *format, va_list arguments)
{
    char *text;

    if (vasprintf(&text, format, arguments) < 0)
        return;
    page_escape(out, text);
    free(text);
}

void page_print(FILE *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_arguments(out, format, arguments);
    va_end(arguments);
}

/* --- elements with a text */

#define ELEMENT(open, close)                                                                       \
    do {                                                                                           \
        va_list arguments;                                                                         \
        fputs(open, out);                                                                          \
        va_start(arguments, format);                                                               \
        print_arguments(out, format, arguments);                                                   \
        va_end(arguments);                                                                         \
        fputs(close, out);                                                                         \
    } while (0)

void page_text(FILE *out, const char *format, ...)
{
    ELEMENT("<p>", "</p>\n");
}

void page_note(FILE *out, const char *format, ...)
{
    ELEMENT("<p class=\"note\">", "</p>\n");
}

void page_warning(FILE *out, const char *format, ...)
{
    ELEMENT("<p class=\"warning\">", "</p>\n");
}

void page_heading(FILE *out, const char *format, ...)
{
    ELEMENT("<h3>", "</h3>\n");
}

void page_cell(FILE *out, const page_column *column, const char *format, ...)
{
    ELEMENT(column->number ? "<td class=\"n\">" : "<td>", "</td>");
}

void page_cell_wide(FILE *out, int columns, const char *format, ...)
{
    char open[48];

    snprintf(open, sizeof(open), "<td class=\"why\" colspan=\"%d\">", columns);
    ELEMENT(open, "</td>");
}
