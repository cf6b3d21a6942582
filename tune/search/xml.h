/*
 * XML as configuration files of H5Tuner have it: elements, attributes and text, in UTF-8 whatever
 * the encoding of the file.  Document types are refused, and with them entities of one's own and
 * other files; so is what is not well-formed.
 */

#ifndef ATS_XML_H
#define ATS_XML_H

#include "atm.h"

enum {
    ATS_XML_BYTES = 1024 * 1024, /* a text has fewer */
    ATS_XML_DEPTH = 16,
    ATS_XML_NAME = 64,
    ATS_XML_TEXT = 1024,
    ATS_XML_ATTRIBUTES = 4
};

typedef struct ats_xml_attribute {
    char name[ATS_XML_NAME], value[ATS_XML_TEXT];
} ats_xml_attribute;

/* An element that has ended. */
typedef struct ats_xml_element {
    char name[ATS_XML_NAME];
    char text[ATS_XML_TEXT]; /* of its own, without spaces around */
    int line;                /* of its start, from 1 */
    int depth;               /* 0: the root */
    bool has_children;
    int attribute_count;
    ats_xml_attribute attributes[ATS_XML_ATTRIBUTES];
} ats_xml_element;

/* ATM_OK to go on. */
typedef atm_status (*ats_xml_told)(const ats_xml_element *element, void *context);

/* Elements in the order of their ends.  ATM_BAD_FILE and a message with name, line and problem;
 * what told returns. */
atm_status ats_xml_read(const char *text, size_t length, const char *name, ats_xml_told told,
                        void *context, atm_message *message);

#endif /* ATS_XML_H */
