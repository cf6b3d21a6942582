/* Property lists of files: each setting in the place of HDF5's default, and of nothing else. */

#include "h5_tune.h"

#include <string.h>

/* A copy of the program's list, and the list of a program that sets nothing, to compare with. */
typedef struct target {
    const atw_h5 *h5;
    int64_t list, defaults;
    const atm_settings *set;
} target;

typedef enum result { DONE, KEPT, CANNOT } result;

static result done(int code)
{
    return code >= 0 ? DONE : CANNOT;
}

/* --- access */

static result alignment(const target *t)
{
    uint64_t now[2], usual[2];

    if (t->h5->H5Pget_alignment(t->list, &now[0], &now[1]) < 0 ||
        t->h5->H5Pget_alignment(t->defaults, &usual[0], &usual[1]) < 0)
        return CANNOT;
    if (now[0] != usual[0] || now[1] != usual[1])
        return KEPT;
    return done(t->h5->H5Pset_alignment(t->list, t->set->threshold,
                                        t->set->values[ATM_SET_HDF5_ALIGNMENT]));
}

static result metadata_block(const target *t)
{
    uint64_t now, usual;

    if (t->h5->H5Pget_meta_block_size(t->list, &now) < 0 ||
        t->h5->H5Pget_meta_block_size(t->defaults, &usual) < 0)
        return CANNOT;
    if (now != usual)
        return KEPT;
    return done(
        t->h5->H5Pset_meta_block_size(t->list, t->set->values[ATM_SET_HDF5_METADATA_BLOCK]));
}

static result sieve_buffer(const target *t)
{
    size_t now, usual;

    if (t->h5->H5Pget_sieve_buf_size(t->list, &now) < 0 ||
        t->h5->H5Pget_sieve_buf_size(t->defaults, &usual) < 0)
        return CANNOT;
    if (now != usual)
        return KEPT;
    return done(
        t->h5->H5Pset_sieve_buf_size(t->list, (size_t) t->set->values[ATM_SET_HDF5_SIEVE_BUFFER]));
}

/* Sets the default chunk cache of the file's data sets; a data set's own list overrides it. */
static result chunk_cache(const target *t)
{
    size_t slots[2], bytes[2];
    double weight[2];
    int ignored;

    if (t->h5->H5Pget_cache(t->list, &ignored, &slots[0], &bytes[0], &weight[0]) < 0 ||
        t->h5->H5Pget_cache(t->defaults, &ignored, &slots[1], &bytes[1], &weight[1]) < 0)
        return CANNOT;
    if (slots[0] != slots[1] || bytes[0] != bytes[1] || weight[0] != weight[1])
        return KEPT;
    return done(t->h5->H5Pset_cache(t->list, ignored, slots[0],
                                    (size_t) t->set->values[ATM_SET_HDF5_CHUNK_CACHE], weight[0]));
}

static result collective(const target *t, atm_setting setting, int (*get)(int64_t, void *),
                         int (*put)(int64_t, int))
{
    uint64_t now = 0, usual = 0; /* a truth is a byte or four */

    if (get == NULL || put == NULL || get(t->list, &now) < 0 || get(t->defaults, &usual) < 0)
        return CANNOT;
    if (now != usual)
        return KEPT;
    return done(put(t->list, (int) t->set->values[setting]));
}

static result metadata_writes(const target *t)
{
    return collective(t, ATM_SET_HDF5_METADATA_WRITES, t->h5->H5Pget_coll_metadata_write,
                      t->h5->H5Pset_coll_metadata_write);
}

static result metadata_reads(const target *t)
{
    return collective(t, ATM_SET_HDF5_METADATA_READS, t->h5->H5Pget_all_coll_metadata_ops,
                      t->h5->H5Pset_all_coll_metadata_ops);
}

/* H5F_libver_t: from 1.8 on each even version has one more, and so has the odd one before it. */
static int newest_version(const atw_h5 *h5)
{
    unsigned major = 0, minor = 0, release = 0;

    if (h5->H5get_libversion(&major, &minor, &release) < 0 || major != 1)
        return major > 1 ? 5 : 0;
    return (int) ((minor + 1) / 2) - 3;
}

/* -1: this HDF5 has no such version. */
static int version_of(const target *t, atm_setting setting, int otherwise)
{
    int newest = newest_version(t->h5), version = (int) t->set->values[setting];

    if (!t->set->has[setting])
        return otherwise;
    if (strcmp(atm_setting_word(setting, t->set->values[setting]), "latest") == 0)
        return newest;
    return version <= newest ? version : -1;
}

static result versions(const target *t)
{
    int now[2], usual[2], low, high;

    if (t->h5->H5Pget_libver_bounds(t->list, &now[0], &now[1]) < 0 ||
        t->h5->H5Pget_libver_bounds(t->defaults, &usual[0], &usual[1]) < 0)
        return CANNOT;
    if (now[0] != usual[0] || now[1] != usual[1])
        return KEPT;
    low = version_of(t, ATM_SET_HDF5_VERSION_LOW, usual[0]);
    high = version_of(t, ATM_SET_HDF5_VERSION_HIGH, usual[1]);
    if (low < 0 || high < low)
        return CANNOT;
    return done(t->h5->H5Pset_libver_bounds(t->list, low, high));
}

/* --- creation */

static result space_strategy(const target *t)
{
    int now, usual;
    uint64_t persist[2] = {0, 0}, threshold[2];

    if (t->h5->H5Pget_file_space_strategy == NULL || t->h5->H5Pset_file_space_strategy == NULL ||
        t->h5->H5Pget_file_space_strategy(t->list, &now, &persist[0], &threshold[0]) < 0 ||
        t->h5->H5Pget_file_space_strategy(t->defaults, &usual, &persist[1], &threshold[1]) < 0)
        return CANNOT;
    if (now != usual || persist[0] != persist[1] || threshold[0] != threshold[1])
        return KEPT;
    return done(t->h5->H5Pset_file_space_strategy(t->list,
                                                  (int) t->set->values[ATM_SET_HDF5_SPACE_STRATEGY],
                                                  (int) persist[0], threshold[0]));
}

static result space_page(const target *t)
{
    uint64_t now, usual;

    if (t->h5->H5Pget_file_space_page_size == NULL || t->h5->H5Pset_file_space_page_size == NULL ||
        t->h5->H5Pget_file_space_page_size(t->list, &now) < 0 ||
        t->h5->H5Pget_file_space_page_size(t->defaults, &usual) < 0)
        return CANNOT;
    if (now != usual)
        return KEPT;
    return done(
        t->h5->H5Pset_file_space_page_size(t->list, t->set->values[ATM_SET_HDF5_SPACE_PAGE]));
}

/* --- all of them */

typedef enum place { ACCESS, ACCESS_OF_MPI, CREATION } place;

static const struct property {
    atm_setting setting, other; /* the same if there is one */
    place place;
    result (*put)(const target *);
} properties[] = {
    {ATM_SET_HDF5_ALIGNMENT, ATM_SET_HDF5_ALIGNMENT, ACCESS, alignment},
    {ATM_SET_HDF5_METADATA_BLOCK, ATM_SET_HDF5_METADATA_BLOCK, ACCESS, metadata_block},
    {ATM_SET_HDF5_SIEVE_BUFFER, ATM_SET_HDF5_SIEVE_BUFFER, ACCESS, sieve_buffer},
    {ATM_SET_HDF5_CHUNK_CACHE, ATM_SET_HDF5_CHUNK_CACHE, ACCESS, chunk_cache},
    {ATM_SET_HDF5_METADATA_WRITES, ATM_SET_HDF5_METADATA_WRITES, ACCESS_OF_MPI, metadata_writes},
    {ATM_SET_HDF5_METADATA_READS, ATM_SET_HDF5_METADATA_READS, ACCESS_OF_MPI, metadata_reads},
    {ATM_SET_HDF5_VERSION_LOW, ATM_SET_HDF5_VERSION_HIGH, ACCESS, versions},
    {ATM_SET_HDF5_SPACE_STRATEGY, ATM_SET_HDF5_SPACE_STRATEGY, CREATION, space_strategy},
    {ATM_SET_HDF5_SPACE_PAGE, ATM_SET_HDF5_SPACE_PAGE, CREATION, space_page},
};

enum { PROPERTIES = sizeof(properties) / sizeof(properties[0]) };

static uint32_t wanted(const struct property *p, const atm_settings *set)
{
    return (set->has[p->setting] ? atw_h5_bit(p->setting) : 0) |
           (set->has[p->other] ? atw_h5_bit(p->other) : 0);
}

static void put(const target *t, place place, atw_h5_outcome *outcome)
{
    for (int i = 0; i < PROPERTIES; i++) {
        const struct property *p = &properties[i];
        uint32_t bits = p->place == place ? wanted(p, t->set) : 0;

        if (bits == 0)
            continue;
        switch (p->put(t)) {
            case DONE:
                outcome->done |= bits;
                break;
            case KEPT:
                outcome->kept |= bits;
                break;
            case CANNOT:
                outcome->cannot |= bits;
                break;
        }
    }
}

/* --- lists */

/* The program's list, or HDF5's in its place; -1: it is no such list. */
static int64_t list_of(const atw_h5 *h5, int64_t given, int64_t class, int64_t defaults)
{
    if (given == ATW_H5_DEFAULT)
        return defaults;
    return h5->H5Pisa_class(given, class) > 0 ? given : -1;
}

/* Always a copy: all processes of a file make one, or none. */
static void put_access(const atw_h5 *h5, atw_lists *lists, int64_t list, int64_t defaults,
                       atw_h5_job *job, const atw_h5_rule *rule, atw_h5_outcome *outcome)
{
    target t = {h5, h5->H5Pcopy(list), defaults, &rule->set};

    if (t.list < 0)
        return;
    put(&t, ACCESS, outcome);
    if (job->mpi)
        put(&t, ACCESS_OF_MPI, outcome);
    if (rule->hints != 0 && atw_h5_job_put_hints(h5, job, t.list, &rule->set, rule->hints))
        outcome->done |= rule->hints;
    *lists->access = lists->made[1] = t.list;
}

static void put_creation(const atw_h5 *h5, atw_lists *lists, const atm_settings *set,
                         atw_h5_outcome *outcome)
{
    int64_t defaults, list;
    target t = {h5, -1, -1, set};

    if (!set->has[ATM_SET_HDF5_SPACE_STRATEGY] && !set->has[ATM_SET_HDF5_SPACE_PAGE])
        return;
    defaults = h5->H5Pcreate(*h5->file_creation);
    list = list_of(h5, *lists->creation, *h5->file_creation, defaults);
    if (defaults >= 0 && list >= 0) {
        t.defaults = defaults;
        t.list = h5->H5Pcopy(list);
    }
    if (t.list >= 0) {
        put(&t, CREATION, outcome);
        *lists->creation = lists->made[0] = t.list;
    }
    if (defaults >= 0)
        h5->H5Pclose(defaults);
}

/* --- drivers */

/* Drivers of one process and one file.  HDF5 tells a driver's number to whoever has a list with it;
 * the functions that know it without one (H5FD_sec2_init, ...) are not for several threads. */
static int choose_sec2(const atw_h5 *h5, int64_t list)
{
    return h5->H5Pset_fapl_sec2(list);
}

static int choose_core(const atw_h5 *h5, int64_t list)
{
    return h5->H5Pset_fapl_core != NULL ? h5->H5Pset_fapl_core(list, 65536, 1) : -1;
}

static int choose_log(const atw_h5 *h5, int64_t list)
{
    return h5->H5Pset_fapl_log != NULL ? h5->H5Pset_fapl_log(list, "", 0, 0) : -1;
}

static int choose_direct(const atw_h5 *h5, int64_t list)
{
    return h5->H5Pset_fapl_direct != NULL ? h5->H5Pset_fapl_direct(list, 4096, 4096, 65536) : -1;
}

static int choose_stdio(const atw_h5 *h5, int64_t list)
{
    return h5->H5Pset_fapl_stdio != NULL ? h5->H5Pset_fapl_stdio(list) : -1;
}

/* The usual one first, as HDF5 keeps a driver that was chosen once, and stdio last: in 1.10 it
 * may be there twice if two threads choose it first at once, and the older one is not known here.
 */
static bool is_of_one_process(const atw_h5 *h5, int64_t driver)
{
    static int (*const choose[])(const atw_h5 *, int64_t) = {choose_sec2, choose_core, choose_log,
                                                             choose_direct, choose_stdio};
    enum { DRIVERS = sizeof(choose) / sizeof(choose[0]) };
    int64_t list = h5->H5Pcreate(*h5->file_access);
    bool found = false;

    if (list < 0)
        return false;
    for (int i = 0; i < DRIVERS && !found; i++)
        found = choose[i](h5, list) >= 0 && h5->H5Pget_driver(list) == driver;
    h5->H5Pclose(list);
    return found;
}

/* False: the driver has several files, or is a user's own, and is left alone. */
static bool find_job(const atw_h5 *h5, int64_t list, atw_h5_job *job_p)
{
    int64_t driver;

    if (atw_h5_job_get(h5, list, job_p))
        return true;
    driver = h5->H5Pget_driver(list);
    return driver >= 0 && is_of_one_process(h5, driver);
}

/* --- files */

static void follow(const atw_h5 *h5, atw_lists *lists, int64_t list, int64_t defaults,
                   atw_h5_job *job, const atw_h5_rule *rule, const atw_h5_told *told)
{
    atw_h5_outcome outcome = {0, 0, 0};
    bool is_new = atw_h5_know(lists->name, &rule->set);

    put_access(h5, lists, list, defaults, job, rule, &outcome);
    if (lists->creation != NULL)
        put_creation(h5, lists, &rule->set, &outcome);
    if (is_new && job->rank == 0)
        atw_h5_explain(lists->name, rule, &outcome, told);
}

/* Hands out a copy: from 1.14 on HDF5 writes all hints that MPI-IO has into the list that it was
 * given, and they would be the program's own for the next file with it, which may have a rule. */
static void keep_as_is(const atw_h5 *h5, atw_lists *lists, int64_t list)
{
    int64_t copy = h5->H5Pcopy(list);

    if (copy >= 0)
        *lists->access = lists->made[1] = copy;
}

static void tune(const atw_h5 *h5, atw_lists *lists, const char *named, int64_t list,
                 int64_t defaults)
{
    atw_h5_job job = {.ranks = 1};
    atw_h5_rule rule = {.number = ATW_H5_NO_ADVICE};
    atw_h5_told told = {.where = ""};

    if (!find_job(h5, list, &job))
        return;
    if (job.rank == 0)
        atw_h5_find_rule(&job, lists, named, &rule, &told);
    atw_h5_job_agree(&job, &rule, sizeof(rule));
    if (rule.number >= 0)
        follow(h5, lists, list, defaults, &job, &rule, &told);
    else
        atw_h5_know(lists->name, NULL);
    if (rule.number == ATW_H5_NO_RULE && job.mpi)
        keep_as_is(h5, lists, list);
    atw_h5_job_free(&job);
}

void atw_h5_file(const atw_h5 *h5, atw_lists *lists, const char *named)
{
    int64_t defaults = h5->H5Pcreate(*h5->file_access);
    int64_t list = list_of(h5, *lists->access, *h5->file_access, defaults);

    if (defaults < 0)
        return;
    if (list >= 0)
        tune(h5, lists, named, list, defaults);
    h5->H5Pclose(defaults);
}
