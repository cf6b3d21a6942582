/*
 * The tree behind value.h, for the files value_*.c only, the only ones that see
 * json-c: with functions that both MPICH's copy (older than 0.14) and 0.16 have,
 * so that one source does inside and outside libmpi.
 *
 * An atm_value is json-c's own object.  What json-c calls its userdata is the object
 * or array that it is in.  A root's is its document: a string, the name of its text,
 * whose own userdata is the atm_status that keeps the tree from being printed.
 */

#ifndef ATM_VALUE_TREE_H
#define ATM_VALUE_TREE_H

#include <json.h>

#include "value.h"
#include "value_text.h"

json_object *atm_value_document(const atm_value *value);
/* Says which container an item is in, for atm_value_parent.  Numbers of a text are not
 * told before somebody asks for one alone: json-c has its digits there, and to free those
 * of all takes a tenth of the time that a large profile takes to load. */
void atm_value_adopt(const atm_value *container, json_object *item);
/* NULL for a root */
const atm_value *atm_value_parent(const atm_value *value);
/* Takes json, which may be NULL, and makes it a root; NULL without memory. */
json_object *atm_value_root(json_object *json, const char *name);

#endif /* ATM_VALUE_TREE_H */
