/* Lists of host names, measured before any of them is written. */

#include "hostlist.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 18 }; /* such numbers fit into 64 bits */

/* first to last; every number has at least width digits */
typedef struct range {
    uint64_t first, last;
    size_t width, widest;
} range;

static size_t parse_number(const char *text, const char *end, uint64_t *number_p)
{
    uint64_t number = 0;
    size_t digits = 0;

    for (; text < end && *text >= '0' && *text <= '9' && digits <= DIGITS_MAX; text++, digits++)
        number = number * 10 + (uint64_t) (*text - '0');
    *number_p = number;
    return digits;
}

/* One of "1-4,7", moving *text_p behind it and its comma. */
static const char *next_range(const char **text_p, const char *end, range *range_p)
{
    const char *text = *text_p;
    range range;

    range.width = range.widest = parse_number(text, end, &range.first);
    range.last = range.first;
    text += range.width;
    if (range.width > 0 && text < end && *text == '-') {
        range.widest = parse_number(++text, end, &range.last);
        text += range.widest;
    }
    if (range.width == 0 || range.widest == 0)
        return "a range is not a number or two";
    if (range.width > DIGITS_MAX || range.widest > DIGITS_MAX)
        return "a number is too long";
    if (text < end && *text != ',')
        return "a range is not a number or two";
    if (range.last < range.first)
        return "a range ends before it starts";
    if (text < end && ++text == end)
        return "a range is missing after a comma";
    if (range.widest < range.width)
        range.widest = range.width;
    *text_p = text;
    *range_p = range;
    return NULL;
}

/* --- measuring */

static const char *measure_ranges(const char *text, const char *end, uint64_t *count_p,
                                  size_t *widest_p)
{
    uint64_t count = 0;
    size_t widest = 0;

    if (text == end)
        return "empty brackets";
    while (text < end) {
        range range;
        const char *problem = next_range(&text, end, &range);

        if (problem != NULL)
            return problem;
        if (range.last - range.first >= ATM_HOSTS_MAX)
            return "too many hosts";
        count += range.last - range.first + 1;
        if (count > ATM_HOSTS_MAX)
            return "too many hosts";
        widest = range.widest > widest ? range.widest : widest;
    }
    *count_p = count;
    *widest_p = widest;
    return NULL;
}

/* A name with its brackets; adds to *size_p. */
static const char *measure_name(const char *text, const char *end, atm_hostlist_size *size_p)
{
    uint64_t hosts = 1;
    size_t length = 0, brackets = 0;

    while (text < end) {
        const char *close, *problem;
        uint64_t count;
        size_t widest;

        if (*text == ']')
            return "] without [";
        if ((unsigned char) *text <= ' ' || *text == 127)
            return "a space or a control character in a name";
        if (*text++ != '[') {
            length++;
            continue;
        }
        close = memchr(text, ']', (size_t) (end - text));
        if (close == NULL)
            return "[ without ]";
        if (++brackets > ATM_HOST_BRACKETS)
            return "too many brackets";
        problem = measure_ranges(text, close, &count, &widest);
        if (problem != NULL)
            return problem;
        hosts *= count; /* both at most ATM_HOSTS_MAX */
        if (hosts > ATM_HOSTS_MAX)
            return "too many hosts";
        length += widest;
        text = close + 1;
    }
    if (length == 0)
        return "a name is empty";
    if (length > ATM_HOST_MAX)
        return "a name is too long";
    size_p->hosts += hosts;
    size_p->bytes += hosts * (length + 1);
    if (size_p->hosts > ATM_HOSTS_MAX || size_p->bytes > ATM_HOSTS_BYTES)
        return "too many hosts";
    return NULL;
}

/* The end of the name at text: a comma outside brackets, or the end of all. */
static const char *name_end(const char *text, const char *end)
{
    bool inside = false;

    for (; text < end && (inside || *text != ','); text++)
        inside = *text == '[' || (inside && *text != ']');
    return text;
}

const char *atm_hostlist_measure(const char *text, size_t length, atm_hostlist_size *size_p)
{
    const char *end = text + length, *stop;
    atm_hostlist_size size = {0};

    for (;; text = stop + 1) {
        const char *problem;

        stop = name_end(text, end);
        problem = measure_name(text, stop, &size);
        if (problem != NULL)
            return problem;
        if (stop == end)
            break;
    }
    *size_p = size;
    return NULL;
}

/* --- writing */

typedef struct writer {
    char name[ATM_HOST_MAX + 1];
    char *to;
} writer;

/* All names that start with length bytes of writer->name and go on with text. */
static void write_names(writer *writer, size_t length, const char *text, const char *end)
{
    const char *close;

    while (text < end && *text != '[')
        writer->name[length++] = *text++;
    if (text == end) {
        memcpy(writer->to, writer->name, length);
        writer->to[length] = '\0';
        writer->to += length + 1;
        return;
    }
    close = memchr(text, ']', (size_t) (end - text));
    for (text++; text < close;) {
        range range;

        if (next_range(&text, close, &range) != NULL)
            return; /* was measured */
        for (uint64_t number = range.first; number <= range.last; number++) {
            int digits = snprintf(writer->name + length, sizeof(writer->name) - length,
                                  "%0*" PRIu64, (int) range.width, number);

            write_names(writer, length + (size_t) digits, close + 1, end);
        }
    }
}

char *atm_hostlist_write(const char *text, size_t length, char *to)
{
    const char *end = text + length, *stop;
    writer writer = {.to = to};

    for (;; text = stop + 1) {
        stop = name_end(text, end);
        write_names(&writer, 0, text, stop);
        if (stop == end)
            return writer.to;
    }
}
