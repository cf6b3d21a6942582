/* The libraries for programs, as installed with these tools. */

#ifndef PRELOADED_H
#define PRELOADED_H

#define PRELOADED_LIBRARY LIBDIR "/libromio-autotune.so"
#define WATCH_LIBRARY LIBDIR "/libautotune-watch.so"

/* for programs that are linked statically */
#define WATCH_ARCHIVE LIBDIR "/libautotune-watch.a"
#define WATCH_LISTS LIBDIR "/romio-autotune"

#endif /* PRELOADED_H */
