/* File systems: their types, by the names that the kernel has for them, and which is which. */

#ifndef ATM_FILE_SYSTEM_H
#define ATM_FILE_SYSTEM_H

#include "atm.h"

/* The type that statfs reports; NULL: none of those that are known here. */
const char *atm_file_system_name(uint32_t type);

/* Type of the file system of the file or directory at path, or of the directory that it would be
 * in. */
const char *atm_file_system_at(const char *path);

/* What /proc/self/mounts tells; cut where it is longer. */
typedef struct atm_mount {
    char type[32];    /* as the kernel mounts it */
    char source[256]; /* device, or servers and name */
    char at[512];     /* the directory */
} atm_mount;

/* The mount of the file or directory at path, or of the directory where it would be created. */
bool atm_mount_at(const char *path, atm_mount *mount_p);

/* Whether two nodes have mounted the same file system of this type. */
bool atm_same_source(const char *type, const char *one, const char *other);

#endif /* ATM_FILE_SYSTEM_H */
