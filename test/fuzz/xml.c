/* Configuration files of H5Tuner: refused with a sentence, or elements within all limits. */

#include "fuzz.h"

#include <string.h>

#include "search/xml.h"

static void require_text(const char *text, size_t size)
{
    require(memchr(text, '\0', size) != NULL, "a text without end");
}

static atm_status told(const ats_xml_element *element, void *context)
{
    int *count = context;

    require_text(element->name, sizeof(element->name));
    require_text(element->text, sizeof(element->text));
    require(element->name[0] != '\0' && element->line > 0, "an element without name or line");
    require(element->depth >= 0 && element->depth < ATS_XML_DEPTH, "depth");
    require(element->attribute_count >= 0 && element->attribute_count <= ATS_XML_ATTRIBUTES,
            "attributes");
    for (int i = 0; i < element->attribute_count; i++) {
        require_text(element->attributes[i].name, sizeof(element->attributes[i].name));
        require_text(element->attributes[i].value, sizeof(element->attributes[i].value));
    }
    ++*count;
    return ATM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    atm_message message = {""};
    int count = 0;
    atm_status status = ats_xml_read((const char *) data, size, "fuzz", told, &count, &message);

    if (status == ATM_OK) {
        require(count > 0, "a document without elements");
        return 0;
    }
    require(status == ATM_BAD_FILE, "status");
    require_message(&message);
    return 0;
}
