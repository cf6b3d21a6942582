#include "ad_autotune_decide.h"

#include "adioi.h"
#include "fnv.h"

#include <ctype.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * What this process, as rank 0 of files, knows of earlier ones, all of it: of kinds of files what
 * is accessed, of file systems what their caches still hold of writes, of files what caches hold of
 * them, and whether what is said of storage helps.  Each is a short list; what was used least
 * recently goes.  Decisions see of it what is in their situation.
 */
enum { KNOWN = 8 };

/* Kinds: programs write their files in series, whose names differ by a number, and begin each with
 * a small header. */
typedef struct kind {
    uint64_t name; /* without digits */
    int ranks;     /* 0: not in use */
    atm_access access;
} kind;

/* A file system that was written to: caches may still hold it.  One that was forgotten counts as
 * drained. */
typedef struct store {
    dev_t device;
    double bytes, drain; /* that leave the caches in a second; 0: not in use */
    double at;           /* MPI_Wtime */
} store;

/* A file that was written: who reads it again finds it in the caches of the nodes that wrote it, as
 * long as these have room. */
typedef struct written {
    dev_t device;
    ino_t inode;
    double bytes; /* 0: not in use */
    double until; /* of all files, up to the last write to this one */
    atm_config config;
} written;

/* A file on any targets. */
typedef struct unpicked {
    atm_access access;
    double a_byte; /* seconds; 0: not in use */
    double at;     /* MPI_Wtime */
} unpicked;

/* How files on targets that were picked did. */
typedef struct trust {
    unpicked others[KNOWN];
    int next, paused_for, left; /* the latter two in files */
    int slower;                 /* which is the reason; else it is to compare */
    double last_write;          /* MPI_Wtime */
} trust;

static struct {
    kind kinds[KNOWN];
    int next_kind;
    store stores[KNOWN];
    written files[KNOWN];
    double all; /* bytes of all files */
    trust trust;
} known;

/* --- kinds of files */

static uint64_t name_of(const char *filename)
{
    uint64_t name = ATM_FNV_BEGIN;

    for (; *filename != '\0'; filename++)
        if (!isdigit((unsigned char) *filename))
            name = atm_fnv_add(name, (unsigned char) *filename);
    return name;
}

static kind *find_kind(const ADIOI_AUTOTUNE_state *state)
{
    uint64_t name = name_of(state->root->filename);

    for (int i = 0; i < KNOWN; i++)
        if (known.kinds[i].ranks == state->ranks && known.kinds[i].name == name)
            return &known.kinds[i];
    return NULL;
}

int ADIOI_AUTOTUNE_kind_find(const ADIOI_AUTOTUNE_state *state, atm_access *access_p)
{
    const kind *last = find_kind(state);

    if (last != NULL) {
        *access_p = last->access;
        access_p->new_file = true;
    }
    return last != NULL;
}

void ADIOI_AUTOTUNE_kind_remember(const ADIOI_AUTOTUNE_state *state)
{
    kind *last;

    if (state->root->largest.bytes == 0)
        return;
    last = find_kind(state);
    if (last == NULL)
        last = &known.kinds[known.next_kind++ % KNOWN];
    *last = (kind){name_of(state->root->filename), state->ranks, state->root->largest};
}

/* --- file systems that were written to */

/* NULL: nothing is known of it. */
static store *find_store(dev_t device)
{
    for (int i = 0; i < KNOWN; i++)
        if (known.stores[i].drain > 0 && known.stores[i].device == device)
            return &known.stores[i];
    return NULL;
}

static store *store_of(dev_t device)
{
    store *found = find_store(device);

    if (found != NULL)
        return found;
    found = &known.stores[0];
    for (int i = 1; i < KNOWN; i++)
        if (known.stores[i].at < found->at)
            found = &known.stores[i];
    *found = (store){.device = device};
    return found;
}

static double left(const store *store, double now)
{
    double bytes = store->bytes - store->drain * (now - store->at);

    return bytes > 0 ? bytes : 0;
}

double ADIOI_AUTOTUNE_dirty(const ADIOI_AUTOTUNE_root *root)
{
    const store *store = find_store(root->device);

    return store != NULL ? left(store, MPI_Wtime()) : 0;
}

int ADIOI_AUTOTUNE_dirty_known(void)
{
    for (int i = 0; i < KNOWN; i++)
        if (known.stores[i].drain > 0)
            return 1;
    return 0;
}

void ADIOI_AUTOTUNE_dirty_add(const ADIOI_AUTOTUNE_state *state, double own_bytes)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double now = MPI_Wtime();
    store *store;

    if (state->root == NULL || !decision->access.write || decision->drain <= 0)
        return;
    store = store_of(state->root->device);
    store->bytes = left(store, now) + ADIOI_AUTOTUNE_moved(state, own_bytes);
    if (store->bytes > decision->capacity)
        store->bytes = decision->capacity;
    store->drain = decision->drain;
    store->at = now;
}

/* --- files that were written */

static written *find_file(dev_t device, ino_t inode)
{
    for (int i = 0; i < KNOWN; i++)
        if (known.files[i].bytes > 0 && known.files[i].device == device &&
            known.files[i].inode == inode)
            return &known.files[i];
    return NULL;
}

static written *file_of(dev_t device, ino_t inode)
{
    written *found = find_file(device, inode);

    if (found != NULL)
        return found;
    found = &known.files[0];
    for (int i = 1; i < KNOWN; i++)
        if (known.files[i].until < found->until)
            found = &known.files[i];
    *found = (written){.device = device, .inode = inode};
    return found;
}

/* Half of the memory of all nodes, if they are like this one. */
static double room(const ADIOI_AUTOTUNE_root *root)
{
    double node = (double) sysconf(_SC_PHYS_PAGES) * (double) sysconf(_SC_PAGESIZE);

    return 0.5 * node * root->topology->nodes;
}

/* What was written is taken to be spread evenly over the file. */
uint64_t ADIOI_AUTOTUNE_cached(const ADIOI_AUTOTUNE_state *state, const atm_access *access,
                               atm_config *config_p)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    const written *file;
    struct stat info;
    double share;

    if (access->write || root->topology == NULL)
        return 0;
    file = find_file(root->device, root->inode);
    if (file == NULL || known.all - file->until + file->bytes > room(root) ||
        stat(root->filename, &info) != 0 || info.st_size <= 0)
        return 0;
    share = file->bytes / (double) info.st_size;
    *config_p = file->config;
    return (uint64_t) ((double) access->bytes * (share < 1 ? share : 1));
}

void ADIOI_AUTOTUNE_written_add(const ADIOI_AUTOTUNE_state *state, double own_bytes)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    const ADIOI_AUTOTUNE_root *root = state->root;
    double bytes = ADIOI_AUTOTUNE_moved(state, own_bytes);
    written *file;

    if (root == NULL || root->inode == 0 || !decision->access.write || decision->access.bytes == 0)
        return;
    known.all += bytes;
    file = file_of(root->device, root->inode);
    file->bytes += bytes;
    file->until = known.all;
    file->config = decision->config;
}

/* --- trust */

/*
 * Whether what is said of storage helps: files on targets that were picked by it, against the last
 * file of the same access on any targets.  Of both the whole life counts, with syncs and close: a
 * write ends in a client's cache, and a slow target shows later.  The first file after a while does
 * not wait for what others left there, and is compared with none.
 *
 * If files on targets that were picked are slower, the state is left alone for one file, then for
 * 2, 4, ...; and for one, to have something to compare with, if they are slower than predicted.
 */
#define TOO_SLOW 1.25        /* than others */
#define TOO_SLOW_UNKNOWN 1.5 /* than predicted */
#define LIKE_FOR 600.0       /* seconds: storage is another one later */
#define IDLE 30.0            /* seconds after which caches are taken to be empty */
enum { PAUSE_MAX = 64 };

static int is_like(const atm_access *one, const atm_access *other)
{
    return one->strided == other->strided && one->interleaved == other->interleaved &&
           one->active_ranks == other->active_ranks &&
           !atm_differs((double) one->bytes, (double) other->bytes) &&
           !atm_differs((double) one->block, (double) other->block);
}

/* Seconds a byte of a like file on any targets; 0: there was none lately. */
static double find_other(const trust *trust, const atm_access *access)
{
    for (int i = 0; i < KNOWN; i++) {
        const unpicked *other = &trust->others[i];

        if (other->a_byte > 0 && MPI_Wtime() - other->at < LIKE_FOR &&
            is_like(&other->access, access))
            return other->a_byte;
    }
    return 0;
}

static void remember_other(trust *trust, const atm_access *access, double a_byte)
{
    int at = 0;

    while (at < KNOWN &&
           !(trust->others[at].a_byte > 0 && is_like(&trust->others[at].access, access)))
        at++;
    if (at == KNOWN)
        at = trust->next++ % KNOWN;
    trust->others[at] = (unpicked){*access, a_byte, MPI_Wtime()};
}

static void judge_picked(trust *trust, const ADIOI_AUTOTUNE_decision *decision, double seconds,
                         double bytes)
{
    double other = find_other(trust, &decision->access) * bytes, predicted = 0;

    for (int i = 0; i < ATM_PART_COUNT; i++)
        predicted += decision->parts[i];
    predicted *= bytes / (double) decision->access.bytes;
    trust->slower = other > 0 && seconds > TOO_SLOW * other;
    if (trust->slower)
        trust->paused_for = trust->paused_for == 0          ? 1
                            : trust->paused_for < PAUSE_MAX ? 2 * trust->paused_for
                                                            : PAUSE_MAX;
    else
        trust->paused_for = 0;
    trust->left = trust->slower || (other <= 0 && seconds > TOO_SLOW_UNKNOWN * predicted)
                      ? (int) fmax(trust->paused_for, 1)
                      : 0;
}

ADIOI_AUTOTUNE_trust ADIOI_AUTOTUNE_trust_now(void)
{
    return known.trust.left == 0 ? ADIOI_AUTOTUNE_TRUSTED
           : known.trust.slower  ? ADIOI_AUTOTUNE_SLOWER
                                 : ADIOI_AUTOTUNE_UNKNOWN;
}

void ADIOI_AUTOTUNE_trust_end(MPI_Comm comm, const ADIOI_AUTOTUNE_state *state)
{
    double mine = state->write.seconds + state->settle_seconds, seconds = 0, bytes = 0;
    const ADIOI_AUTOTUNE_root *root = state->root;
    trust *trust = &known.trust;
    int cold;

    MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    MPI_Reduce(&state->write.bytes, &bytes, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (root == NULL || bytes <= 0 || !state->decision.access.write)
        return;
    cold = trust->last_write == 0 || MPI_Wtime() - seconds - trust->last_write > IDLE;
    trust->last_write = MPI_Wtime();
    if (root->paused && trust->left > 0)
        trust->left--;
    if (root->targets != NULL && state->layout.steered)
        judge_picked(trust, &state->decision, seconds, bytes);
    else if (!cold)
        remember_other(trust, &state->decision.access, seconds / bytes);
}
