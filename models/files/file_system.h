/* Types of file systems, by the names that the kernel has for them. */

#ifndef ATM_FILE_SYSTEM_H
#define ATM_FILE_SYSTEM_H

#include "atm.h"

/* The type that statfs reports; NULL: none of those that are known here. */
const char *atm_file_system_name(uint32_t type);

/* That of the file or directory at path, or of the directory where it would be created. */
const char *atm_file_system_at(const char *path);

#endif /* ATM_FILE_SYSTEM_H */
