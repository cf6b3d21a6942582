/* XML as configuration files of H5Tuner have it, parsed by Expat. */

#include "xml.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *name;
    XML_Parser parser;
    ats_xml_element *open; /* [ATS_XML_DEPTH] */
    int depth;             /* elements that are open */
    atm_status status;     /* once it is not ATM_OK, handlers do nothing */
    ats_xml_told told;
    void *context;
    atm_message *message;
} reader;

/* Handlers may still be called after this. */
static void stop(reader *r, atm_status status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static void complain(reader *r, const char *problem)
{
    if (r->message != NULL)
        snprintf(r->message->text, sizeof(r->message->text), "%.128s:%d: %s", r->name,
                 (int) XML_GetCurrentLineNumber(r->parser), problem);
    stop(r, ATM_BAD_FILE);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool copied(const char *from, size_t size, char *to_p)
{
    return (size_t) snprintf(to_p, size, "%s", from) < size;
}

/* Only a document type can declare entities, and name files. */
static void XMLCALL on_document_type(void *context, const char *name, const char *system_id,
                                     const char *public_id, int has_subset)
{
    (void) name;
    (void) system_id;
    (void) public_id;
    (void) has_subset;
    complain(context, "document types are not read");
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes)
{
    reader *r = context;
    ats_xml_element *element = &r->open[r->depth];
    bool fits;

    if (r->status != ATM_OK)
        return;
    if (r->depth == ATS_XML_DEPTH) {
        complain(r, "elements within elements, too deep");
        return;
    }
    if (r->depth > 0)
        element[-1].has_children = true;
    memset(element, 0, sizeof(*element));
    element->line = (int) XML_GetCurrentLineNumber(r->parser);
    element->depth = r->depth++;
    fits = copied(name, sizeof(element->name), element->name);
    for (; fits && attributes[0] != NULL; attributes += 2) {
        ats_xml_attribute *attribute = &element->attributes[element->attribute_count];

        fits = element->attribute_count++ < ATS_XML_ATTRIBUTES &&
               copied(attributes[0], sizeof(attribute->name), attribute->name) &&
               copied(attributes[1], sizeof(attribute->value), attribute->value);
    }
    if (!fits)
        complain(r, "too many attributes, or a name or a value is too long");
}

/* A piece of a text, without spaces before the first. */
static void XMLCALL on_text(void *context, const char *text, int length)
{
    reader *r = context;
    char *whole;
    size_t used;

    if (r->status != ATM_OK)
        return;
    whole = r->open[r->depth - 1].text;
    used = strlen(whole);
    for (; used == 0 && length > 0 && is_space(*text); length--)
        text++;
    if (used + (size_t) length >= ATS_XML_TEXT)
        complain(r, "a text is too long");
    else
        memcpy(whole + used, text, (size_t) length);
}

static void XMLCALL on_end(void *context, const char *name)
{
    reader *r = context;
    ats_xml_element *element;
    size_t length;
    atm_status status;

    (void) name;
    if (r->status != ATM_OK)
        return;
    element = &r->open[--r->depth];
    length = strlen(element->text);
    while (length > 0 && is_space(element->text[length - 1]))
        element->text[--length] = '\0';
    if (element->has_children && length > 0) {
        complain(r, "text beside elements");
        return;
    }
    status = r->told(element, r->context);
    if (status != ATM_OK)
        stop(r, status);
}

static void parse(reader *r, const char *text, size_t length)
{
    enum XML_Error error;

    XML_SetUserData(r->parser, r);
    XML_SetStartDoctypeDeclHandler(r->parser, on_document_type);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    if (length >= ATS_XML_BYTES) {
        complain(r, "is too large");
        return;
    }
    if (XML_Parse(r->parser, text, (int) length, XML_TRUE) == XML_STATUS_OK || r->status != ATM_OK)
        return;
    error = XML_GetErrorCode(r->parser);
    if (error == XML_ERROR_NO_MEMORY)
        r->status = ATM_NO_MEMORY;
    else if (error == XML_ERROR_NO_ELEMENTS && r->depth > 0)
        complain(r, "an element has no end");
    else
        complain(r, XML_ErrorString(error));
}

atm_status ats_xml_read(const char *text, size_t length, const char *name, ats_xml_told told,
                        void *context, atm_message *message)
{
    reader r = {.name = name,
                .parser = XML_ParserCreate(NULL),
                .open = calloc(ATS_XML_DEPTH, sizeof(*r.open)),
                .told = told,
                .context = context,
                .message = message};

    if (r.parser != NULL && r.open != NULL)
        parse(&r, text, length);
    else
        r.status = ATM_NO_MEMORY;
    if (r.parser != NULL)
        XML_ParserFree(r.parser);
    free(r.open);
    return r.status;
}
