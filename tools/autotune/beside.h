/* Programs that belong to this one. */

#ifndef BESIDE_H
#define BESIDE_H

#include <limits.h>

/* "autotune-NAME" in this program's folder, as in a build tree; where it is not, in that other
 * folder or, if that is NULL, wherever PATH has it. */
void beside_find(const char *name, const char *otherwise, char path_p[PATH_MAX]);

#endif /* BESIDE_H */
