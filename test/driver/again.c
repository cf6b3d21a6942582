/*
 * A file is opened again as it was before: what was found then is used again, and shown alike.
 *
 *     again DIRECTORY FS      AGAIN_OPENS: nothing but as many opens, for a trace
 *
 * An access of DIRECTORY/opens-begin, which is not there, precedes these.  Keys set and broadcasts
 * are counted below MPI: ROMIO calls the functions of the profiling interface.
 */

#include "common.h"

#include <unistd.h>

static struct counts {
    int keys, broadcasts;
} counts;

int PMPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    counts.keys++;
    return MPI_Info_set(info, key, value);
}

int PMPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    counts.broadcasts++;
    return MPI_Bcast(data, count, type, root, comm);
}

enum { KEYS = 64, ROOM = MPI_MAX_INFO_KEY + MPI_MAX_INFO_VAL + 4 };

/* What MPI_File_get_info shows, sorted. */
typedef struct shown {
    char at[KEYS][ROOM];
    int count;
} shown;

static int by_text(const void *one, const void *other)
{
    return strcmp(one, other);
}

static void show(MPI_File file, shown *shown)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int count = 0, found;

    MPI_File_get_info(file, &info);
    MPI_Info_get_nkeys(info, &count);
    memset(shown, 0, sizeof(*shown));
    for (int i = 0; i < count && shown->count < KEYS; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        snprintf(shown->at[shown->count++], ROOM, "%s=%s", key, value);
    }
    MPI_Info_free(&info);
    qsort(shown->at, (size_t) shown->count, ROOM, by_text);
}

/* Counts of an open; what it shows. */
static struct counts open_once(MPI_Comm comm, const char *name, MPI_Info hints, shown *shown)
{
    struct counts before, after;
    MPI_File file = MPI_FILE_NULL;

    before = counts;
    MPI_File_open(comm, name, RDWR_CREATE, hints, &file);
    after = counts;
    if (file == MPI_FILE_NULL)
        return (struct counts){-1, -1};
    show(file, shown);
    MPI_File_close(&file);
    return (struct counts){after.keys - before.keys, after.broadcasts - before.broadcasts};
}

static int is_same(const shown *one, const shown *other)
{
    int first = 0;

    while (first < one->count && strcmp(one->at[first], other->at[first]) == 0)
        first++;
    if (first == one->count && one->count == other->count)
        return 1;
    printf("# rank %d: %s, then %s\n", rank, one->at[first], other->at[first]);
    return 0;
}

/* Notes are a message more: here, that the tests' profiles do not say what they hold for. */
static int is_noted(const shown *shown)
{
    for (int i = 0; i < shown->count; i++)
        if (strstr(shown->at[i], "; it is not known") != NULL)
            return 1;
    return 0;
}

/* A hint that nobody knows makes the driver read hints: nothing is taken from an open before. */
static void test_shown(MPI_Comm comm, const char *name, const char *wrapped_name)
{
    static shown first, again, with_hint;
    MPI_Info hint = one_hint("nobody_knows_this", "1");

    open_once(comm, wrapped_name, MPI_INFO_NULL, &first); /* which makes it */
    open_once(comm, name, MPI_INFO_NULL, &first);
    for (int i = 0; i < 3; i++) {
        open_once(comm, name, MPI_INFO_NULL, &again);
        tap_ok(is_same(&first, &again), "open %d shows what the first one did", i + 2);
    }
    open_once(comm, name, hint, &with_hint);
    MPI_Info_free(&hint);
    tap_ok(is_same(&with_hint, &again), "and an open that reads hints");
}

/* On Lustre, several ranks exchange striping and share what is known of it. */
static void test_counts(MPI_Comm comm, const char *name, const char *wrapped_name)
{
    static shown shown;
    struct counts ours, wrapped;
    int size;

    MPI_Comm_size(comm, &size);
    if (size > 1 && strcmp(direct(), "lustre:") == 0)
        return;
    open_once(comm, wrapped_name, MPI_INFO_NULL, &shown);
    wrapped = open_once(comm, wrapped_name, MPI_INFO_NULL, &shown);
    open_once(comm, name, MPI_INFO_NULL, &shown);
    ours = open_once(comm, name, MPI_INFO_NULL, &shown);
    tap_ok(ours.keys < wrapped.keys, "%d keys are set, by the wrapped driver %d", ours.keys,
           wrapped.keys);
    tap_ok(ours.broadcasts <= wrapped.broadcasts + is_noted(&shown),
           "%d broadcasts, by the wrapped driver %d", ours.broadcasts, wrapped.broadcasts);
}

static int shows(const shown *shown, const char *text)
{
    for (int i = 0; i < shown->count; i++)
        if (strcmp(shown->at[i], text) == 0)
            return 1;
    return 0;
}

/* Variables are used again as long as they are the same. */
static void test_changed(MPI_Comm comm, const char *name)
{
    static shown before, off, mistaken, after;
    char *mode = getenv("ROMIO_AUTOTUNE") != NULL ? strdup(getenv("ROMIO_AUTOTUNE")) : NULL;

    open_once(comm, name, MPI_INFO_NULL, &before);
    setenv("ROMIO_AUTOTUNE", "disable", 1);
    open_once(comm, name, MPI_INFO_NULL, &off);
    open_once(comm, name, MPI_INFO_NULL, &off);
    tap_ok(shows(&off, "romio_autotune_status=disabled"), "a variable that is set is seen");
    setenv("ROMIO_AUTOTUNE", "perhaps", 1);
    for (int i = 0; i < 2; i++) {
        open_once(comm, name, MPI_INFO_NULL, &mistaken);
        tap_ok(shows(&mistaken, "romio_autotune=automatic") && !is_same(&mistaken, &before),
               "a mistake is noted at open %d", i + 1);
    }
    if (mode != NULL)
        setenv("ROMIO_AUTOTUNE", mode, 1);
    else
        unsetenv("ROMIO_AUTOTUNE");
    free(mode);
    open_once(comm, name, MPI_INFO_NULL, &after);
    tap_ok(is_same(&before, &after), "and one that is taken back");
}

static void open_many(int opens)
{
    static shown shown;

    if (access(path("", "opens-begin"), F_OK) == 0)
        return;
    for (int i = 0; i < opens; i++)
        open_once(MPI_COMM_WORLD, path("autotune:", "many"), MPI_INFO_NULL, &shown);
}

int main(int argc, char **argv)
{
    const char *opens = getenv("AGAIN_OPENS");
    char alone[32];

    start(&argc, &argv);
    snprintf(alone, sizeof(alone), "alone.%d", rank);
    if (opens != NULL) {
        open_many(atoi(opens));
        tap_ok(1, "%s opens", opens);
    }
    for (int i = 0; i < 2 && opens == NULL; i++) { /* in turns */
        test_shown(MPI_COMM_WORLD, path("autotune:", "together"), path(direct(), "together"));
        test_counts(MPI_COMM_WORLD, path("autotune:", "together"), path(direct(), "together"));
        test_shown(MPI_COMM_SELF, path("autotune:", alone), path(direct(), alone));
        test_counts(MPI_COMM_SELF, path("autotune:", alone), path(direct(), alone));
        test_changed(MPI_COMM_WORLD, path("autotune:", "together"));
        test_changed(MPI_COMM_SELF, path("autotune:", alone));
    }
    return finish();
}
