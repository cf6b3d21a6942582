/* The preload libraries, as installed with these tools. */

#ifndef PRELOADED_H
#define PRELOADED_H

#define PRELOADED_LIBRARY LIBDIR "/libromio-autotune.so"
#define WATCH_LIBRARY LIBDIR "/libautotune-watch.so"

#endif /* PRELOADED_H */
