/*
 * Seeded programs of HDF5, for module hdf5: what each sets itself stays, what it leaves is as
 * advice has it, its data reads back.
 *
 *     tuned advice SEED COUNT                 advice for these programs
 *     tuned run SEED COUNT none|all|driver    in the current folder; advice holds, or not; driver:
 *                                             but for MPI-IO's hints
 *     tuned dump FILE                         its data
 *     tuned named FILE                        what is set only where advice names it
 *     tuned twice FILE FILE                   with one list; their hint cb_buffer_size
 *     tuned hand FILE VALUE                   the same of a file for which the program sets it
 *
 * With -DWITH_MPI of a parallel HDF5.  What does not hold is said on stderr.
 */

#include <hdf5.h>
#include <stdlib.h>

#include "tuned_lists.h"

#ifdef WITH_MPI
enum { MPI = 1 };
#else
#include <pthread.h>
enum { MPI = 0, THREADS = 4 };
#endif

/* --- values */

static int value_of(int number, hsize_t index)
{
    return (int) ((index * 2654435761u + (hsize_t) number * 40503u) & 0x3fffffff);
}

static hsize_t row_size(const data_set *s)
{
    hsize_t size = 1;

    for (int i = 1; i < s->rank; i++)
        size *= s->sizes[i];
    return size;
}

static hsize_t rows_written(const data_set *s)
{
    return s->kind == FILLED ? s->sizes[0] / 2 : s->sizes[0];
}

/* HDF5 1.10 cannot write a contiguous data set without elements together: it has no address. */
static hid_t transfer_of(const program *p, const data_set *s)
{
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);

    (void) p;
    (void) s;
#ifdef WITH_MPI
    if (p->driver == SHARED && ((s->collective && s->kind != EMPTY) || s->kind == FILTERED))
        H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
#endif
    return transfer;
}

/* The rows of this process. */
static void write_values(hid_t set, const program *p, const data_set *s, int number)
{
    hsize_t rows = rows_written(s), start[RANK] = {0}, count[RANK], first;
    hid_t file = H5Dget_space(set), memory, transfer = transfer_of(p, s);
    int *values;

    memcpy(count, s->sizes, sizeof(count));
    count[0] = rows;
    if (p->driver == SHARED) {
        start[0] = rows * (hsize_t) rank / (hsize_t) ranks;
        count[0] = rows * (hsize_t) (rank + 1) / (hsize_t) ranks - start[0];
    }
    first = start[0] * row_size(s);
    values = malloc((count[0] * row_size(s) + 1) * sizeof(*values));
    for (hsize_t i = 0; i < count[0] * row_size(s); i++)
        values[i] = value_of(number, first + i);
    memory = H5Screate_simple(s->rank, count, NULL);
    if (count[0] > 0) {
        H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL);
    } else {
        H5Sselect_none(file);
        H5Sselect_none(memory);
    }
    expect(H5Dwrite(set, H5T_NATIVE_INT, memory, file, transfer, values) >= 0, "cannot be written");
    free(values);
    H5Sclose(memory);
    H5Sclose(file);
    H5Pclose(transfer);
}

static void write_strings(hid_t set, const data_set *s)
{
    size_t count = (size_t) (s->sizes[0] * row_size(s));
    const char **strings = malloc((count + 1) * sizeof(*strings));
    hid_t type = H5Dget_type(set);

    for (size_t i = 0; i < count; i++)
        strings[i] = i % 2 ? "some" : "other, and longer";
    expect(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings) >= 0, "strings");
    free(strings);
    H5Tclose(type);
}

static void check_values(hid_t set, const data_set *s, int number, const char *what)
{
    size_t count = (size_t) (s->sizes[0] * row_size(s)), wrong = 0;
    int *values = malloc((count + 1) * sizeof(*values));

    expect(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0,
           "%s: cannot be read", what);
    for (size_t i = 0; i < count; i++)
        wrong += values[i] !=
                 (i < rows_written(s) * row_size(s) ? value_of(number, (hsize_t) i) : OWN_FILL);
    expect(wrong == 0, "%s: %zu of %zu values are wrong", what, wrong, count);
    free(values);
}

/* --- programs */

static hid_t create_set(hid_t file, const program *p, int number, const char *name, const wanted *w)
{
    const data_set *s = &p->set[number];
    hsize_t limits[RANK];
    hid_t space, type = H5Tcopy(s->kind == STRINGS ? H5T_C_S1 : H5T_NATIVE_INT), set;
    hid_t list = creation_of(s, name, number), before = copy_of(list);
    char path[16], what[160];

    if (s->kind == STRINGS)
        H5Tset_size(type, H5T_VARIABLE);
    memcpy(limits, s->sizes, sizeof(limits));
    if (s->kind == EXTENSIBLE)
        limits[0] = H5S_UNLIMITED;
    space = H5Screate_simple(s->rank, s->sizes, limits);
    snprintf(path, sizeof(path), "set%d", number);
    snprintf(what, sizeof(what), "%s: %s of kind %d", name, path, (int) s->kind);
    set = s->old_call ? H5Dcreate1(file, path, type, space, list)
                      : H5Dcreate2(file, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (expect(set >= 0, "%s: cannot be created", what))
        check_set(set, p, s, w, what);
    end_list(list, before, what);
    H5Sclose(space);
    H5Tclose(type);
    return set;
}

static void write_file(const program *p, const char *name, const wanted *w, int hints)
{
    hid_t list = access_of(p), before = copy_of(list), file, set;

    file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    end_list(list, before, name);
    if (!expect(file >= 0, "%s: cannot be created", name))
        return;
    check_file(file, p, w, hints, name);
    for (int i = 0; i < p->sets; i++) {
        set = create_set(file, p, i, name, w);
        if (set < 0)
            continue;
        if (p->set[i].kind == STRINGS)
            write_strings(set, &p->set[i]);
        else
            write_values(set, p, &p->set[i], i);
        H5Dclose(set);
    }
    expect(H5Fclose(file) >= 0, "%s: cannot be closed", name);
}

static void read_file(const program *p, const char *name, const wanted *w, int hints)
{
    hid_t list = access_of(p), before = copy_of(list), file, set;
    char path[16], what[160];

    file = H5Fopen(name, H5F_ACC_RDONLY, list);
    end_list(list, before, name);
    if (!expect(file >= 0, "%s: cannot be opened", name))
        return;
    check_file(file, p, w, hints, name);
    for (int i = 0; i < p->sets; i++) {
        snprintf(path, sizeof(path), "set%d", i);
        snprintf(what, sizeof(what), "%s: %s of kind %d", name, path, (int) p->set[i].kind);
        set = H5Dopen2(file, path, H5P_DEFAULT);
        if (expect(set >= 0, "%s: cannot be opened", what) && p->set[i].kind != STRINGS)
            check_values(set, &p->set[i], i, what);
        H5Dclose(set);
    }
    H5Fclose(file);
}

/* What a program asks of errors is what it was. */
static void check_errors(const program *p)
{
    hid_t list = access_of(p), before = copy_of(list), file;
    H5E_auto2_t function[2];
    void *data[2];

    H5Eget_auto2(H5E_DEFAULT, &function[0], &data[0]);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file = H5Fopen("case-0-does-not-exist", H5F_ACC_RDONLY, list);
    expect(file < 0 && H5Eget_num(H5E_DEFAULT) > 0, "the errors are gone");
    H5Eget_auto2(H5E_DEFAULT, &function[1], &data[1]);
    expect(function[1] == NULL, "errors are printed again");
    H5Eset_auto2(H5E_DEFAULT, function[0], data[0]);
    end_list(list, before, "no file");
}

static void run_case(uint64_t seed, int number, const char *advice)
{
    static const wanted none = {.allocation = -1, .fill = -1};
    program p = draw_program(seed, number, MPI);
    const wanted *w = strcmp(advice, "none") == 0 ? &none : &p.wanted;
    int hints = strcmp(advice, "all") == 0;
    char name[FILES][32];

    if (p.driver != SHARED && rank != 0)
        return;
    for (int i = 0; i < p.files; i++) {
        snprintf(name[i], sizeof(name[i]), "case-%d-%d.h5", number, i);
        write_file(&p, name[i], w, hints);
    }
    for (int i = 0; i < p.files; i++)
        read_file(&p, name[i], w, hints);
    check_errors(&p);
}

#ifdef WITH_MPI
static void run_all(uint64_t seed, int count, const char *advice)
{
    for (int i = 0; i < count; i++)
        run_case(seed, i, advice);
}
#else
static struct {
    uint64_t seed;
    int count, threads;
    const char *advice;
} all;

static void *run_some(void *first)
{
    for (int i = (int) (intptr_t) first; i < all.count; i += all.threads)
        run_case(all.seed, i, all.advice);
    return NULL;
}

/* Before there are threads: HDF5 1.10 registers this driver once more for each thread that chooses
 * it first, and module hdf5 leaves files with an unknown one alone. */
static void register_stdio(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);

    H5Pset_fapl_stdio(list);
    H5Pclose(list);
}

/* In several threads, where the library allows it. */
static void run_all(uint64_t seed, int count, const char *advice)
{
    pthread_t threads[THREADS];
    hbool_t safe = 0;

    H5is_library_threadsafe(&safe);
    all.seed = seed;
    all.count = count;
    all.advice = advice;
    all.threads = safe ? THREADS : 1;
    register_stdio();
    for (int i = 1; i < all.threads; i++)
        pthread_create(&threads[i], NULL, run_some, (void *) (intptr_t) i);
    run_some(NULL);
    for (int i = 1; i < all.threads; i++)
        pthread_join(threads[i], NULL);
    printf("threads: %d\n", all.threads);
}
#endif

/* --- data of a file */

static void dump_set(hid_t set, const char *path)
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    int *values = malloc(((size_t) count + 1) * sizeof(*values));

    printf("%s %lld of class %d:", path, (long long) count, (int) H5Tget_class(type));
    if (H5Tget_class(type) == H5T_INTEGER &&
        H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0)
        for (hssize_t i = 0; i < count; i++)
            printf(" %d", values[i]);
    printf("\n");
    free(values);
    H5Tclose(type);
    H5Sclose(space);
}

static void dump(const char *name)
{
    hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT), set;
    char path[16];

    expect(file >= 0, "%s: cannot be opened", name);
    for (int i = 0; file >= 0 && i < SETS; i++) {
        snprintf(path, sizeof(path), "set%d", i);
        if (H5Lexists(file, path, H5P_DEFAULT) <= 0)
            continue;
        set = H5Dopen2(file, path, H5P_DEFAULT);
        dump_set(set, path);
        H5Dclose(set);
    }
    if (file >= 0)
        H5Fclose(file);
}

/* --- what only advice that names it sets */

static void named(const char *name)
{
    program p = {.driver = MPI ? SHARED : SEC2};
    hid_t list = access_of(&p), file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    hid_t access = H5Fget_access_plist(file), creation = H5Fget_create_plist(file);
    H5F_fspace_strategy_t strategy;
    H5F_libver_t low, high;
    hbool_t persist, reads = 0;
    hsize_t threshold, page;

    H5Pget_file_space_strategy(creation, &strategy, &persist, &threshold);
    H5Pget_file_space_page_size(creation, &page);
    H5Pget_libver_bounds(access, &low, &high);
#ifdef WITH_MPI
    H5Pget_all_coll_metadata_ops(access, &reads);
#endif
    if (rank == 0)
        printf("strategy %d page %d versions %d %d reads %d\n", (int) strategy, (int) page,
               (int) (low == H5F_LIBVER_LATEST), (int) (high == H5F_LIBVER_LATEST), (int) reads);
    H5Pclose(access);
    H5Pclose(creation);
    H5Pclose(list);
    H5Fclose(file);
}

#ifdef WITH_MPI
/* --- files with one list */

/* The hint cb_buffer_size, as HDF5 shows it of a new file. */
static void create_and_tell(const char *who, const char *name, hid_t list)
{
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list), access;
    char value[16] = "";
    MPI_Comm comm;
    MPI_Info info;
    int found = 0;

    access = H5Fget_access_plist(file);
    H5Pget_fapl_mpio(access, &comm, &info);
    MPI_Comm_free(&comm);
    if (info != MPI_INFO_NULL) {
        MPI_Info_get(info, "cb_buffer_size", (int) sizeof(value) - 1, value, &found);
        MPI_Info_free(&info);
    }
    if (rank == 0)
        printf("%s: cb_buffer_size %s\n", who, found ? value : "unset");
    H5Pclose(access);
    H5Fclose(file);
}

static void twice(const char *first, const char *second)
{
    program p = {.driver = SHARED};
    hid_t list = access_of(&p);

    create_and_tell("first", first, list);
    create_and_tell("second", second, list);
    H5Pclose(list);
}

static void by_hand(const char *name, const char *value)
{
    program p = {.driver = SHARED};
    hid_t list = access_of(&p);
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", value);
    H5Pset_fapl_mpio(list, MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    create_and_tell("by hand", name, list);
    H5Pclose(list);
}
#endif

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

    if (strcmp(what, "advice") == 0 && argc == 4) {
        print_advice(seed, atoi(argv[3]), MPI);
        return 0;
    }
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
    if (strcmp(what, "run") == 0 && argc == 5)
        run_all(seed, atoi(argv[3]), argv[4]);
    else if (strcmp(what, "dump") == 0)
        dump(argv[2]);
    else if (strcmp(what, "named") == 0)
        named(argv[2]);
#ifdef WITH_MPI
    else if (strcmp(what, "twice") == 0 && argc == 4)
        twice(argv[2], argv[3]);
    else if (strcmp(what, "hand") == 0 && argc == 4)
        by_hand(argv[2], argv[3]);
#endif
    else
        expect(0, "usage: tuned advice SEED COUNT | run SEED COUNT none|all|driver | dump FILE | "
                  "named FILE | twice FILE FILE | hand FILE VALUE");
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return failed > 0;
}
