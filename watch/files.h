/* Files by number, from 1; a path has one number in a process and its children. */

#ifndef ATW_FILES_H
#define ATW_FILES_H

#include <stddef.h>
#include <stdint.h>

/* 0: no memory, or too many. */
uint32_t atw_file_number(const char *path, size_t length);
/* The same for a path that a program gave: as seen from the root. */
uint32_t atw_file_named(const char *path);

/* NULL: there is no such number.  For as long as the process lives. */
const char *atw_file_path(uint32_t number, size_t *length_p);

#endif /* ATW_FILES_H */
