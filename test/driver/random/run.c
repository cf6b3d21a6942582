/* Performs a case on one file and notes everything that MPI lets it observe. */

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"

enum {
    GAP_FILL = 0xa5,
    MAX_KEYS = 64,
};

struct run {
    struct outcome *outcome;
    const struct test_case *c;
    const struct layout *layouts;
    MPI_Comm comm;
    int rank;
    MPI_File file;
    int tuned;  /* through autotune: */
    int viewed; /* hints of the view have been given */
};

int read_owner(const struct test_case *c, int rank)
{
    return c->read->pointer == SHARED_POINTER ? rank : (rank + c->read_shift) % c->ranks;
}

__attribute__((format(printf, 2, 3))) static void note(struct outcome *o, const char *format, ...)
{
    size_t left = sizeof o->text - o->text_used;
    va_list arguments;

    va_start(arguments, format);
    size_t length = vsnprintf(o->text + o->text_used, left, format, arguments);
    va_end(arguments);
    assert(length < left);
    o->text_used += length;
}

static void check(struct run *run, int error, const char *what)
{
    int class;

    if (error == MPI_SUCCESS)
        return;
    MPI_Error_class(error, &class);
    note(run->outcome, "%s: error class %d\n", what, class);
    run->outcome->errors++;
}

/* ---- what can be asked about an open file ---- */

static int compare_keys(const void *a, const void *b)
{
    return strcmp(a, b);
}

static const struct hint *given(const struct run *run, const char *key)
{
    const struct test_case *c = run->c;

    for (int i = 0; i < c->hint_count; i++)
        if (strcmp(c->hints[i].key, key) == 0 && (run->viewed || !c->hints[i].with_view))
            return &c->hints[i];
    return NULL;
}

static int is_disabled(const struct run *run)
{
    for (int i = 0; i < run->c->hint_count; i++)
        if (strcmp(run->c->hints[i].key, "romio_autotune") == 0 && !run->c->hints[i].with_view)
            return strcmp(run->c->hints[i].value, "disable") == 0;
    return 0;
}

/* Whether a decision may set the key: not where the user has.  cb_nodes alone is
 * honoured by more than the wrapped drivers do. */
static int is_tuned(const struct run *run, const char *key)
{
    static const char *const own[] = {"cb_buffer_size", "romio_cb_read", "romio_cb_write",
                                      "romio_lustre_co_ratio"};
    static const char *const striping[] = {"striping_unit", "striping_factor"};

    /* the wrapped driver reports the layout's generation */
    if (strstr(key, "start_iodevice") != NULL)
        return 1;
    if (is_disabled(run))
        return 0;
    if (strcmp(key, "cb_nodes") == 0 || strcmp(key, "romio_aggregator_list") == 0)
        return !given(run, "cb_config_list");
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(key, own[i]) == 0)
            return !given(run, key);
    /* a new file has none before it is accessed */
    for (size_t i = 0; i < sizeof striping / sizeof striping[0]; i++)
        if (strcmp(key, striping[i]) == 0)
            return !given(run, striping[0]) && !given(run, striping[1]);
    return 0;
}

static void check_cb_nodes(struct run *run, const char *key, const char *value)
{
    const struct hint *wanted = given(run, key);

    if (run->tuned && wanted && strcmp(key, "cb_nodes") == 0 && strcmp(wanted->value, value) != 0) {
        note(run->outcome, "info cb_nodes: %s, but %s was asked for\n", value, wanted->value);
        run->outcome->errors++;
    }
}

/* The keys that the driver adds are its own; all others must not betray it. */
static void note_info(struct run *run)
{
    char keys[MAX_KEYS][MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int count, found;

    check(run, MPI_File_get_info(run->file, &info), "get_info");
    MPI_Info_get_nkeys(info, &count);
    assert(count <= MAX_KEYS);
    for (int i = 0; i < count; i++)
        MPI_Info_get_nthkey(info, i, keys[i]);
    qsort(keys, count, sizeof keys[0], compare_keys);
    for (int i = 0; i < count; i++) {
        if (strncmp(keys[i], "romio_autotune", strlen("romio_autotune")) == 0)
            continue;
        MPI_Info_get(info, keys[i], MPI_MAX_INFO_VAL, value, &found);
        if (is_tuned(run, keys[i]))
            check_cb_nodes(run, keys[i], value);
        else
            note(run->outcome, "info %s: %s\n", keys[i], found ? value : "(none)");
    }
    MPI_Info_free(&info);
}

static void note_type(struct run *run, const char *name, MPI_Datatype type)
{
    int integers, addresses, types, combiner, size;
    MPI_Aint lower, extent;

    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower, &extent);
    note(run->outcome, "%s: combiner %d, size %d, extent %ld\n", name, combiner, size,
         (long) extent);
}

static void note_view(struct run *run)
{
    char representation[MPI_MAX_DATAREP_STRING];
    MPI_Datatype etype, filetype;
    MPI_Offset displacement;

    check(run, MPI_File_get_view(run->file, &displacement, &etype, &filetype, representation),
          "get_view");
    note(run->outcome, "view: %lld %s\n", (long long) displacement, representation);
    note_type(run, "etype", etype);
    note_type(run, "filetype", filetype);
    type_free(&etype);
    type_free(&filetype);
}

static void note_state(struct run *run)
{
    MPI_Offset size;
    int amode, atomic;

    check(run, MPI_File_get_size(run->file, &size), "get_size");
    check(run, MPI_File_get_amode(run->file, &amode), "get_amode");
    check(run, MPI_File_get_atomicity(run->file, &atomic), "get_atomicity");
    note(run->outcome, "size: %lld\namode: %d\natomic: %d\n", (long long) size, amode, atomic);
}

static void note_position(struct run *run, const struct call *call)
{
    MPI_Offset position = 0, byte = 0;

    /* ROMIO creates a file to hold a shared pointer that somebody asks for. */
    if (call->pointer == SHARED_POINTER)
        check(run, MPI_File_get_position_shared(run->file, &position), "get_position_shared");
    else
        check(run, MPI_File_get_position(run->file, &position), "get_position");
    check(run, MPI_File_get_byte_offset(run->file, position, &byte), "get_byte_offset");
    note(run->outcome, "position: %lld, byte %lld\n", (long long) position, (long long) byte);
    /* nobody moves a shared pointer on before all have seen it */
    MPI_Barrier(run->comm);
}

/* ---- opening ---- */

static void prefill(struct run *run, const char *path, enum prefill when)
{
    int64_t bytes = run->c->prefill_bytes;

    if (run->c->prefill == when && run->rank == 0) {
        unsigned char *data = malloc(bytes + 1);
        int fd = open(path, O_WRONLY | O_CREAT, 0644);
        assert(data && fd >= 0);
        prefill_fill(run->c, data, bytes);
        ssize_t written = write(fd, data, bytes);
        assert(written == bytes);
        (void) written;
        close(fd);
        free(data);
    }
    MPI_Barrier(run->comm);
}

static MPI_Info make_info(const struct test_case *c, int with_view)
{
    MPI_Info info = MPI_INFO_NULL;

    for (int i = 0; i < c->hint_count; i++) {
        if (c->hints[i].with_view != with_view)
            continue;
        if (info == MPI_INFO_NULL)
            MPI_Info_create(&info);
        MPI_Info_set(info, c->hints[i].key, c->hints[i].value);
    }
    return info;
}

static void info_free(MPI_Info *info)
{
    if (*info != MPI_INFO_NULL)
        MPI_Info_free(info);
}

/* Info with the profile and the cap of the case, if it has them. */
static MPI_Info open_info(const struct test_case *c)
{
    MPI_Info info = make_info(c, 0);
    char memory[24];

    unsetenv("ROMIO_AUTOTUNE_PROFILE");
    unsetenv("ROMIO_AUTOTUNE_MEMORY");
    if (c->memory) {
        snprintf(memory, sizeof memory, "%" PRId64, c->memory);
        setenv("ROMIO_AUTOTUNE_MEMORY", memory, 1);
    }
    if (c->profile[0] && !c->profile_by_hint)
        setenv("ROMIO_AUTOTUNE_PROFILE", c->profile, 1);
    if (c->profile[0] && c->profile_by_hint) {
        if (info == MPI_INFO_NULL)
            MPI_Info_create(&info);
        MPI_Info_set(info, "romio_autotune_profile", c->profile);
    }
    return info;
}

/* Whether the file is open on all ranks */
static int open_file(struct run *run, const char *name, int amode)
{
    MPI_Info info = open_info(run->c);
    int error = MPI_File_open(run->comm, name, amode, info, &run->file);
    int failed = error != MPI_SUCCESS, any;

    check(run, error, "open");
    info_free(&info);
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_LOR, run->comm);
    return !any;
}

static void set_view(struct run *run, int owner, MPI_Info info)
{
    MPI_Datatype etype = layout_etype(run->c);
    MPI_Datatype filetype = layout_filetype(run->c, &run->layouts[owner], owner);

    check(run,
          MPI_File_set_view(run->file, run->layouts[owner].displacement, etype, filetype, "native",
                            info),
          "set_view");
    type_free(&etype);
    type_free(&filetype);
}

static void prepare(struct run *run, const char *path)
{
    const struct test_case *c = run->c;

    prefill(run, path, AFTER_OPEN);
    if (c->set_size)
        check(run, MPI_File_set_size(run->file, c->set_size), "set_size");
    if (c->preallocate)
        check(run, MPI_File_preallocate(run->file, c->preallocate), "preallocate");
    if (c->atomic)
        check(run, MPI_File_set_atomicity(run->file, 1), "set_atomicity");
    note_info(run);
    note_state(run);
    MPI_Barrier(run->comm);
}

/* ---- access ---- */

static void seek(struct run *run, const struct call *call, const struct access *own, int step)
{
    MPI_Offset here;

    if (call->pointer == SHARED_POINTER && step == 0) {
        check(run, MPI_File_seek_shared(run->file, run->c->access[0][0].start, MPI_SEEK_SET),
              "seek_shared");
    } else if (call->pointer == INDIVIDUAL_POINTER && step == 0) {
        check(run, MPI_File_seek(run->file, own->start, MPI_SEEK_SET), "seek");
    } else if (call->pointer == INDIVIDUAL_POINTER) {
        check(run, MPI_File_get_position(run->file, &here), "get_position");
        check(run, MPI_File_seek(run->file, own->start - here, MPI_SEEK_CUR), "seek");
    }
}

static void access_once(struct run *run, int writing, const struct access *a, unsigned char *memory)
{
    const struct call *call = writing ? run->c->write : run->c->read;
    MPI_Datatype type = layout_memory_type(run->c);
    MPI_Status status;
    int error, count;

    if (writing)
        error = call->write(run->file, a->start, memory, a->count, type, &status);
    else
        error = call->read(run->file, a->start, memory, a->count, type, &status);
    check(run, error, writing ? call->write_name : call->read_name);
    if (error == MPI_SUCCESS) {
        MPI_Get_count(&status, type, &count);
        note(run->outcome, "%s: count %d\n", writing ? call->write_name : call->read_name, count);
        run->outcome->errors += count != a->count;
    }
    type_free(&type);
}

static void access_all(struct run *run, int writing, const struct access *a, unsigned char *memory)
{
    const struct call *call = writing ? run->c->write : run->c->read;

    if (!call->unordered && (call->collective || !run->c->in_turns)) {
        access_once(run, writing, a, memory);
        MPI_Barrier(run->comm);
        return;
    }
    for (int turn = 0; turn < run->c->ranks; turn++) {
        if (turn == run->rank)
            access_once(run, writing, a, memory);
        MPI_Barrier(run->comm);
    }
}

static void write_step(struct run *run, int step)
{
    const struct test_case *c = run->c;
    const struct access *a = &c->access[step][run->rank];
    int stride = c->etype_size + c->memory_gap;
    unsigned char *data = malloc(a->count * c->etype_size + 1);
    unsigned char *memory = malloc(a->count * stride + 1);

    assert(data && memory);
    data_fill(c, run->rank, step, data, a->count * c->etype_size);
    memset(memory, GAP_FILL, a->count * stride);
    for (int64_t i = 0; i < a->count; i++)
        memcpy(memory + i * stride, data + i * c->etype_size, c->etype_size);
    seek(run, c->write, a, step);
    access_all(run, 1, a, memory);
    note_position(run, c->write);
    free(data);
    free(memory);
}

/* The bytes between the elements must have stayed as they were. */
static int gaps_kept(const struct test_case *c, const unsigned char *memory, int64_t count)
{
    int stride = c->etype_size + c->memory_gap;

    for (int64_t i = 0; i < count; i++)
        for (int j = c->etype_size; j < stride; j++)
            if (memory[i * stride + j] != GAP_FILL)
                return 0;
    return 1;
}

static void read_step(struct run *run, int step)
{
    const struct test_case *c = run->c;
    const struct access *a = &c->access[step][read_owner(c, run->rank)];
    int stride = c->etype_size + c->memory_gap;
    unsigned char *data = malloc(a->count * c->etype_size + 1);
    unsigned char *memory = malloc(a->count * stride + 1);

    assert(data && memory);
    memset(memory, GAP_FILL, a->count * stride);
    seek(run, c->read, a, step);
    access_all(run, 0, a, memory);
    note_position(run, c->read);
    for (int64_t i = 0; i < a->count; i++)
        memcpy(data + i * c->etype_size, memory + i * stride, c->etype_size);
    if (!gaps_kept(c, memory, a->count)) {
        note(run->outcome, "%s: overwrote memory between the elements\n", c->read->read_name);
        run->outcome->errors++;
    }
    run->outcome->read[step] = data;
    free(memory);
}

static int reopen(struct run *run, const char *name)
{
    check(run, MPI_File_close(&run->file), "close");
    run->viewed = 0;
    return open_file(run, name, run->c->number % 2 ? MPI_MODE_RDONLY : MPI_MODE_RDWR);
}

void case_run(struct outcome *outcome, const struct test_case *c, const struct layout *layouts,
              const char *name, const char *path, MPI_Comm comm)
{
    struct run run = {outcome, c, layouts, comm, 0, MPI_FILE_NULL, 0, 0};
    MPI_Info info = make_info(c, 1);
    int amode = MPI_MODE_CREATE | (c->write_only ? MPI_MODE_WRONLY : MPI_MODE_RDWR) |
                (c->exclusive ? MPI_MODE_EXCL : 0);

    *outcome = (struct outcome){0};
    run.tuned = strncmp(name, "autotune:", strlen("autotune:")) == 0;
    MPI_Comm_rank(comm, &run.rank);
    prefill(&run, path, BEFORE_OPEN);
    if (open_file(&run, name, amode)) {
        prepare(&run, path);
        set_view(&run, run.rank, info);
        run.viewed = 1;
        note_info(&run);
        note_view(&run);
        for (int step = 0; step < c->steps; step++)
            write_step(&run, step);
        if (c->sync)
            check(&run, MPI_File_sync(run.file), "sync");
        if (!c->reopen || reopen(&run, name)) {
            set_view(&run, read_owner(c, run.rank), MPI_INFO_NULL);
            for (int step = 0; step < c->steps; step++)
                read_step(&run, step);
            note_info(&run);
            note_state(&run);
            check(&run, MPI_File_close(&run.file), "close");
        }
    }
    info_free(&info);
}

void outcome_free(struct outcome *outcome)
{
    for (int step = 0; step < MAX_STEPS; step++)
        free(outcome->read[step]);
}
