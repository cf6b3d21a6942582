/* Pages: opening, saving, escaping. */

#include "page.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static atm_status no_access(const char *path, atm_message *message)
{
    if (message != NULL)
        snprintf(message->text, sizeof(message->text), "%s: cannot be written: %s", path,
                 strerror(errno));
    return ATM_NO_ACCESS;
}

/* The new file, next to path; removed again on failure. */
static atm_status fill(char *new_path, const page *page, const char *path, atm_message *message)
{
    int number = mkstemp(new_path);
    FILE *file;
    bool done;

    if (number < 0)
        return no_access(path, message);
    file = fdopen(number, "w");
    if (file == NULL) {
        close(number);
        unlink(new_path);
        return ATM_NO_MEMORY;
    }
    done = fwrite(page->text, 1, page->length, file) == page->length && fflush(file) == 0 &&
           fchmod(number, 0644) == 0 && fsync(number) == 0;
    done = fclose(file) == 0 && done;
    if (done && rename(new_path, path) == 0)
        return ATM_OK;
    no_access(path, message);
    unlink(new_path);
    return ATM_NO_ACCESS;
}

atm_status page_save(page *page, const char *path, atm_message *message)
{
    bool whole = !ferror(page->out);
    atm_status status = ATM_NO_MEMORY;
    char *new_path = NULL;

    whole = fclose(page->out) == 0 && whole;
    page->out = NULL;
    if (whole && asprintf(&new_path, "%s.XXXXXX", path) >= 0) {
        status = fill(new_path, page, path, message);
        free(new_path);
    }
    return status;
}

/* Forms that are too long, halves of surrogate pairs, beyond U+10FFFF, and U+FFFE and U+FFFF. */
static bool forbidden(const unsigned char *text)
{
    return (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
           (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90) ||
           (text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe);
}

/* Bytes of the UTF-8 character at text, 0 if it is none or not allowed in XML. */
static int character(const unsigned char *text)
{
    int length = text[0] < 0x80                      ? 1
                 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                 : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                 : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                     : 0;

    if (length == 1)
        return (text[0] >= 0x20 && text[0] != 0x7f) || text[0] == '\n' || text[0] == '\t' ? 1 : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length > 0 && !forbidden(text) ? length : 0;
}

void page_escape(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *) text;

    while (*at != '\0') {
        int length = character(at);

        if (length == 0)
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
            fwrite(at, 1, (size_t) length, out);
        at += length > 0 ? length : 1;
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
