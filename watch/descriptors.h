/* Which descriptor is which file.  Only regular files have numbers; what a descriptor is, is found
 * out when it is opened or first used, and kept until it is closed. */

#ifndef ATW_DESCRIPTORS_H
#define ATW_DESCRIPTORS_H

#include <stdint.h>

/* The file's number; 0: not a regular file, or not open.  errno may change when it is first asked.
 */
uint32_t atw_descriptor_file(int fd);
/* The same, of what is known already. */
uint32_t atw_descriptor_known(int fd);

/* It was opened just now, whatever it was before. */
uint32_t atw_descriptor_opened(int fd);
/* They are closed, or become others. */
void atw_descriptor_forget(int fd);
void atw_descriptors_forget(unsigned first, unsigned last);

#endif /* ATW_DESCRIPTORS_H */
