/* XML as configuration files of H5Tuner have it. */

#include "xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *name, *text, *at, *end;
    ats_xml_element *open; /* [ATS_XML_DEPTH] */
    int depth;             /* elements that are open */
    bool seen_root;
    ats_xml_told told;
    void *context;
    atm_message *message;
} reader;

static int line_of(const reader *r, const char *at)
{
    int line = 1;

    for (const char *c = r->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static atm_status complain(reader *r, const char *problem)
{
    if (r->message != NULL)
        snprintf(r->message->text, sizeof(r->message->text), "%.128s:%d: %s", r->name,
                 line_of(r, r->at), problem);
    return ATM_BAD_FILE;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ':';
}

static void skip_spaces(reader *r)
{
    while (r->at < r->end && is_space(*r->at))
        r->at++;
}

static bool starts_with(const reader *r, const char *text)
{
    size_t length = strlen(text);

    return (size_t) (r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

/* After the end of a comment or an instruction. */
static atm_status skip_until(reader *r, const char *text)
{
    for (const char *begin = r->at; r->at < r->end; r->at++)
        if (starts_with(r, text)) {
            r->at += strlen(text);
            return ATM_OK;
        } else if (r->at + 1 == r->end) {
            r->at = begin;
            break;
        }
    return complain(r, "has no end");
}

static atm_status read_name(reader *r, char name_p[ATS_XML_NAME])
{
    size_t length = 0;

    while (r->at < r->end && is_name(*r->at) && length + 1 < ATS_XML_NAME)
        name_p[length++] = *r->at++;
    name_p[length] = '\0';
    if (length == 0 || (r->at < r->end && is_name(*r->at)))
        return complain(r, "a name is missing or too long");
    return ATM_OK;
}

/* One character, or the one that an entity stands for. */
static atm_status read_character(reader *r, char *character_p)
{
    static const struct {
        const char *name;
        char character;
    } entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};

    if (*r->at == '\0' || ((unsigned char) *r->at < ' ' && !is_space(*r->at)))
        return complain(r, "a control character");
    if (*r->at != '&') {
        *character_p = *r->at++;
        return ATM_OK;
    }
    for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
        if (starts_with(r, entities[i].name)) {
            *character_p = entities[i].character;
            r->at += strlen(entities[i].name);
            return ATM_OK;
        }
    return complain(r, "an entity that is not known");
}

static atm_status append(reader *r, char text[ATS_XML_TEXT])
{
    size_t length = strlen(text);
    char character = 0;
    atm_status status = read_character(r, &character);

    if (status != ATM_OK)
        return status;
    if (length + 1 == ATS_XML_TEXT)
        return complain(r, "a text is too long");
    text[length] = character;
    text[length + 1] = '\0';
    return ATM_OK;
}

static atm_status read_attribute(reader *r, ats_xml_element *element)
{
    ats_xml_attribute *attribute = &element->attributes[element->attribute_count];
    char quote;
    atm_status status;

    if (element->attribute_count == ATS_XML_ATTRIBUTES)
        return complain(r, "too many attributes");
    *attribute = (ats_xml_attribute){.name = ""};
    status = read_name(r, attribute->name);
    skip_spaces(r);
    if (status != ATM_OK || r->at == r->end || *r->at != '=')
        return status != ATM_OK ? status : complain(r, "an attribute without \"=\"");
    r->at++;
    skip_spaces(r);
    if (r->at == r->end || (*r->at != '"' && *r->at != '\''))
        return complain(r, "an attribute without quotes");
    quote = *r->at++;
    while (status == ATM_OK && r->at < r->end && *r->at != quote)
        status = *r->at == '<' ? complain(r, "\"<\" in an attribute") : append(r, attribute->value);
    if (status == ATM_OK && r->at == r->end)
        return complain(r, "an attribute without an end");
    r->at++;
    element->attribute_count++;
    return status;
}

static atm_status close_element(reader *r)
{
    ats_xml_element *element = &r->open[--r->depth];
    size_t begin = 0, length = strlen(element->text);

    while (length > 0 && is_space(element->text[length - 1]))
        element->text[--length] = '\0';
    while (is_space(element->text[begin]))
        begin++;
    memmove(element->text, element->text + begin, length - begin + 1);
    if (element->has_children && element->text[0] != '\0')
        return complain(r, "text beside elements");
    return r->told(element, r->context);
}

/* After "<". */
static atm_status read_start(reader *r)
{
    ats_xml_element *element = &r->open[r->depth];
    atm_status status;

    if (r->depth == ATS_XML_DEPTH)
        return complain(r, "elements within elements, too deep");
    if (r->depth == 0 && r->seen_root)
        return complain(r, "a second element that all others are in");
    if (r->depth > 0)
        r->open[r->depth - 1].has_children = true;
    memset(element, 0, sizeof(*element));
    element->line = line_of(r, r->at);
    element->depth = r->depth++;
    r->seen_root = true;
    status = read_name(r, element->name);
    skip_spaces(r);
    while (status == ATM_OK && r->at < r->end && *r->at != '>' && *r->at != '/') {
        status = read_attribute(r, element);
        skip_spaces(r);
    }
    if (status != ATM_OK)
        return status;
    if (starts_with(r, "/>")) {
        r->at += 2;
        return close_element(r);
    }
    if (r->at == r->end || *r->at != '>')
        return complain(r, "an element's start has no end");
    r->at++;
    return ATM_OK;
}

/* After "</". */
static atm_status read_end(reader *r)
{
    char name[ATS_XML_NAME];
    atm_status status = read_name(r, name);

    if (status != ATM_OK)
        return status;
    skip_spaces(r);
    if (r->at == r->end || *r->at != '>')
        return complain(r, "an element's end has no \">\"");
    if (r->depth == 0 || strcmp(name, r->open[r->depth - 1].name) != 0)
        return complain(r, "the end of an element that is not the last one begun");
    r->at++;
    return close_element(r);
}

static atm_status read_markup(reader *r)
{
    if (starts_with(r, "<!--")) {
        r->at += 4;
        return skip_until(r, "-->");
    }
    if (starts_with(r, "<?") && !r->seen_root)
        return skip_until(r, "?>");
    if (starts_with(r, "<!") || starts_with(r, "<?"))
        return complain(r, "only elements and comments are known");
    r->at++;
    if (r->at < r->end && *r->at == '/') {
        r->at++;
        return read_end(r);
    }
    return read_start(r);
}

static atm_status read_all(reader *r)
{
    atm_status status = ATM_OK;

    while (status == ATM_OK && r->at < r->end) {
        if (*r->at == '<')
            status = read_markup(r);
        else if (r->depth > 0)
            status = append(r, r->open[r->depth - 1].text);
        else if (is_space(*r->at))
            r->at++;
        else
            status = complain(r, "text outside of elements");
    }
    if (status == ATM_OK && (r->depth > 0 || !r->seen_root))
        status = complain(r, r->seen_root ? "an element has no end" : "there is no element");
    return status;
}

atm_status ats_xml_read(const char *text, size_t length, const char *name, ats_xml_told told,
                        void *context, atm_message *message)
{
    reader r = {.name = name,
                .text = text,
                .at = text,
                .end = text + length,
                .open = calloc(ATS_XML_DEPTH, sizeof(*r.open)),
                .told = told,
                .context = context,
                .message = message};
    atm_status status = r.open != NULL ? read_all(&r) : ATM_NO_MEMORY;

    free(r.open);
    return status;
}
