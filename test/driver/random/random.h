/*
 * Randomised comparison of autotune: with the driver it wraps.
 *
 * A case is a pure function of (seed, number): every rank derives the same one.
 *
 *   rng.c      random numbers
 *   case.c     draws a case: file system, calls, layout, sizes, hints
 *   layout.c   who owns which bytes: as an MPI file type and, independently of
 *              MPI, as a list of segments
 *   image.c    the file the writes must leave behind, computed in memory
 *   calls.c    the MPI read and write calls behind one signature
 *   run.c      performs a case on one file and notes all that can be observed
 *   compare.c  the two runs against each other and against the image
 *   random.c   options, loop, TAP
 */

#ifndef RANDOM_H
#define RANDOM_H

#include <mpi.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MAX_RANKS = 8,
    MAX_STEPS = 3,
    MAX_HINTS = 20,
    MAX_PATH = 512,
    MAX_TEXT = 1024,
};

/* ---- random numbers ---- */

struct rng {
    uint64_t state;
};

/* One independent sequence per purpose, so that a change in how many numbers
 * one part draws does not move the others. */
struct rng rng_start(uint64_t seed, uint64_t number, uint64_t purpose);
uint64_t rng_next(struct rng *rng);
int64_t rng_between(struct rng *rng, int64_t low, int64_t high); /* both included */
int64_t rng_size(struct rng *rng, int64_t low, int64_t high);    /* small as likely as large */
int rng_chance(struct rng *rng, int percent);

/* ---- calls ---- */

enum call_group {
    INDEPENDENT,
    NONBLOCKING,
    COLLECTIVE,
    NONBLOCKING_COLLECTIVE,
    SPLIT,
    SHARED,
    CALL_GROUPS
};
extern const char *const call_group_names[CALL_GROUPS];

enum pointer { EXPLICIT_OFFSET, INDIVIDUAL_POINTER, SHARED_POINTER };

/* offset is used by the calls with an explicit offset only */
typedef int write_func_t(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                         MPI_Datatype type, MPI_Status *status);
typedef int read_func_t(MPI_File file, MPI_Offset offset, void *buffer, int count,
                        MPI_Datatype type, MPI_Status *status);

struct call {
    const char *write_name, *read_name; /* without MPI_File_ */
    enum call_group group;
    enum pointer pointer;
    int collective;
    int unordered; /* shared pointer, and the order of the ranks is open */
    write_func_t *write;
    read_func_t *read;
};
extern const struct call calls[];
extern const int call_count;

/* ---- cases ---- */

enum fs { UFS, NFS, GPFS, LUSTRE, FS_COUNT };
extern const char *const fs_names[FS_COUNT];

enum pattern { CONTIGUOUS, VECTOR, INDEXED, HINDEXED, SUBARRAY, PATTERNS };

enum prefill { NO_PREFILL, BEFORE_OPEN, AFTER_OPEN };

/* In units of etypes within the data seen through the view of the rank */
struct access {
    int64_t start;
    int64_t count;
};

struct hint {
    char key[40];
    char value[24];
    int with_view; /* passed to MPI_File_set_view, not to MPI_File_open */
};

struct test_case {
    uint64_t seed;
    int number;
    enum fs fs;
    int prefix_named; /* the file system as prefix; else ROMIO detects it */
    int ranks;
    const struct call *write, *read;

    enum pattern pattern;
    int etype_size;             /* 1, 3, 4 or 8 bytes */
    int64_t displacement;       /* bytes */
    int64_t block, gap, blocks; /* VECTOR */
    int pieces, holes;          /* INDEXED, HINDEXED */
    int64_t piece_max;
    int dimensions, fortran; /* SUBARRAY */
    int sizes[3], grid[3], margin;
    int memory_gap; /* bytes between the elements in memory */

    int steps; /* writes, one after the other */
    struct access access[MAX_STEPS][MAX_RANKS];
    int read_shift; /* rank r reads what rank r + shift wrote */
    int in_turns;   /* ranks write one after the other */

    enum prefill prefill;
    int64_t prefill_bytes;
    int64_t set_size, preallocate; /* 0: not called */
    int atomic, exclusive, write_only, reopen, sync;
    int plain_first; /* run on the wrapped driver's file first */
    int64_t end;     /* of what is accessed */

    char profile[MAX_PATH]; /* "": the built-in one */
    int profile_by_hint;    /* else by the environment */
    int64_t memory;         /* cap of collective buffers on a node; 0: none */

    int hint_count;
    struct hint hints[MAX_HINTS];
};

void case_draw(struct test_case *c, uint64_t seed, int number, enum fs fs, int max_ranks);
/* With profile DIRECTORY/NUMBER.json. */
void case_tune(struct test_case *c, const char *directory);
void case_describe(const struct test_case *c, char *text, size_t size);

/* ---- layouts ---- */

/* In bytes */
struct segment {
    int64_t offset; /* in the file, from the start of the repetition */
    int64_t length;
    int64_t position; /* in the data */
};

/* Segments repeat every `extent` bytes, the first time at `displacement`. */
struct layout {
    int64_t displacement, extent;
    int64_t bytes; /* sum of the segments; 0: this rank owns nothing */
    int count;
    struct segment *segments;
};

void layout_make(struct layout *layout, const struct test_case *c, int rank);
void layout_free(struct layout *layout);
/* Free both with MPI_Type_free where derived: type_free(). */
MPI_Datatype layout_etype(const struct test_case *c);
MPI_Datatype layout_filetype(const struct test_case *c, const struct layout *layout, int rank);
MPI_Datatype layout_memory_type(const struct test_case *c);
void type_free(MPI_Datatype *type);

/* Where the data from byte `position` on lies in the file, up to the next gap */
struct segment layout_find(const struct layout *layout, int64_t position);
/* The end of the last byte that the accesses of the case touch */
int64_t layout_file_end(const struct test_case *c, const struct layout *layouts);

/* ---- images ---- */

struct image {
    int64_t size; /* of the file */
    int64_t capacity;
    unsigned char *bytes;
    unsigned char *defined; /* whether the value of the byte is known */
};

/* What rank `rank` writes in step `step`, without gaps in memory */
void data_fill(const struct test_case *c, int rank, int step, unsigned char *data, int64_t bytes);
void prefill_fill(const struct test_case *c, unsigned char *data, int64_t bytes);
void image_make(struct image *image, const struct test_case *c, const struct layout *layouts);
void image_free(struct image *image);

/* ---- runs ---- */

/* The rank whose data rank `rank` reads back */
int read_owner(const struct test_case *c, int rank);

/* All that a run showed to this rank. */
struct outcome {
    int errors; /* MPI calls that failed */
    size_t text_used;
    char text[16384];               /* one "name: value" per line; errors, info, sizes, positions */
    unsigned char *read[MAX_STEPS]; /* read back, without gaps in memory */
};

/* Collective over comm.  layouts has one entry per rank. */
void case_run(struct outcome *outcome, const struct test_case *c, const struct layout *layouts,
              const char *name, const char *path, MPI_Comm comm);
void outcome_free(struct outcome *outcome);

/* ---- comparison ---- */

struct verdict {
    int failed;
    char text[MAX_TEXT]; /* what differs, and where first */
};

__attribute__((format(printf, 2, 3))) void verdict_fail(struct verdict *verdict, const char *format,
                                                        ...);

/* Each looks on only if nothing failed so far. */
void compare_outcomes(struct verdict *verdict, const struct outcome *autotune,
                      const struct outcome *plain);
void compare_read(struct verdict *verdict, const struct test_case *c, const struct layout *layouts,
                  const struct image *image, int rank, const struct outcome *outcome,
                  const char *side);
void compare_files(struct verdict *verdict, const struct image *image, const char *autotune_path,
                   const char *plain_path);

#endif /* RANDOM_H */
