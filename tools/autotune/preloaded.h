/* The preload library, as installed with these tools. */

#ifndef PRELOADED_H
#define PRELOADED_H

#define PRELOADED_LIBRARY LIBDIR "/libromio-autotune.so"

#endif /* PRELOADED_H */
