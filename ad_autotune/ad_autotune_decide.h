/*
 * Decisions: when one is due (tune), from which topology and profile (prepare), for
 * which access, and what the model says (decide, request).  Only tune uses apply, to
 * which it passes a decision, and then report and record.
 */

#ifndef AD_AUTOTUNE_DECIDE_H_INCLUDED
#define AD_AUTOTUNE_DECIDE_H_INCLUDED

#include "ad_autotune_state.h"
#include "atc.h"
#include "files/installed.h"
#include "files/recent.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_tune.c */

/* Collective: decide for a file that has been opened, or on some ranks not. */
void ADIOI_AUTOTUNE_tune_open(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode);
/* Count a collective call; 1 if a decision is due before it, on all ranks. */
int ADIOI_AUTOTUNE_tune_due(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Collective: then make it for a call that accesses `mine` on this rank.  Whether
 * ranks are disjoint in this call, as far as known; the same on all of them. */
int ADIOI_AUTOTUNE_tune_call(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int writes,
                             atc_access mine);

/* --- ad_autotune_prepare.c */

/* On rank 0, before the first decision: fill in the members of state->root that
 * decisions start from. */
void ADIOI_AUTOTUNE_prepare(ADIO_File fd, ADIOI_AUTOTUNE_state *state);

/* On rank 0: what a profile of this file is to hold for; valid until the next call. */
atm_use ADIOI_AUTOTUNE_use(const ADIOI_AUTOTUNE_state *state);

/* --- ad_autotune_job.c */

/* On rank 0: the topology of fd->comm; release it.  A topology file that cannot
 * be used is noted. */
atm_status ADIOI_AUTOTUNE_job_acquire(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                      ADIOI_AUTOTUNE_job **job_p);
const atm_topology *ADIOI_AUTOTUNE_job_topology(const ADIOI_AUTOTUNE_job *job);
void ADIOI_AUTOTUNE_job_release(ADIOI_AUTOTUNE_job *job);

/* --- ad_autotune_files.c */

/* Where ours are installed; valid until the program changes its environment. */
atm_search_values ADIOI_AUTOTUNE_places(void);
/* On rank 0: the file that a hint of ours (NULL: none) names, else the one of this name that is
 * installed; local.  It stays in *last, the memory of a caller that is kept for the next open.
 * NULL and a message: the path is too long. */
const atm_seen *ADIOI_AUTOTUNE_find(const atm_search_values *places, const char *hint,
                                    const char *file, atm_found *last, atm_message *message);
/* What there is at path (NULL: nothing), in the same way; zeros if that cannot be told. */
const atm_seen *ADIOI_AUTOTUNE_look(const char *path, atm_found *last);
/* All profiles to choose from; free the list. */
int ADIOI_AUTOTUNE_find_profiles(const atm_search_values *places, const char *hint,
                                 atm_installed **list_p, int *count_p, atm_recent *recent_p,
                                 atm_message *message);
/* Whether they need not be looked for again. */
int ADIOI_AUTOTUNE_profiles_hold(const atm_search_values *places, const char *hint,
                                 const atm_recent *recent);

/* The profile at path, or of those that the search finds the one that fits the use, and how it
 * does; local.  Release it.  NULL and a message where there is none. */
ADIOI_AUTOTUNE_profile *ADIOI_AUTOTUNE_profile_acquire(const atm_search_values *places,
                                                       const char *path, const atm_use *use,
                                                       atm_fit *fit_p, atm_message *message);
const atm_profile *ADIOI_AUTOTUNE_profile_get(ADIOI_AUTOTUNE_profile *profile,
                                              atm_answers **answers_p,
                                              ADIOI_AUTOTUNE_told **told_p);
void ADIOI_AUTOTUNE_profile_release(ADIOI_AUTOTUNE_profile *profile);

/* Advice in the file that the hint names, or in the one that is installed; local.  Release it.
 * NULL where there is none, and a message if it cannot be used. */
ADIOI_AUTOTUNE_advice *ADIOI_AUTOTUNE_advice_acquire(const atm_search_values *places,
                                                     const char *hint, atm_message *message);
void ADIOI_AUTOTUNE_advice_release(ADIOI_AUTOTUNE_advice *advice);
/* On rank 0: what it says of, and to whom; NULL: there is none. */
const atm_advice *ADIOI_AUTOTUNE_advice_get(const ADIOI_AUTOTUNE_root *root,
                                            atm_occasion *occasion_p);

/* --- ad_autotune_storage.c */

/* On rank 0: what is known now of the state of the file's storage, valid until the next call; its
 * targets are to be freed with ADIOI_Free if they are not NULL.  What cannot be used is noted in
 * the decision.  settled: the file has its layout. */
atm_storage ADIOI_AUTOTUNE_storage_ask(ADIOI_AUTOTUNE_state *state, int settled,
                                       ADIOI_AUTOTUNE_decision *decision, int **targets_p);

/* --- ad_autotune_access.c */

/* This rank's access in a collective call; local. */
atc_access ADIOI_AUTOTUNE_access(ADIO_File fd, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset);
/* The access of all ranks, as the model expects it. */
atm_access ADIOI_AUTOTUNE_model_access(const atc_access *all, int writes, int new_file);
/* On rank 0, at open: what is likely to be accessed; notes whether more than the profile says so.
 */
atm_access ADIOI_AUTOTUNE_expected_access(const ADIOI_AUTOTUNE_state *state, int access_mode,
                                          uint64_t file_size);

/* --- ad_autotune_known.c */

/* On rank 0: the largest write to the last file of this kind; 0: there was none. */
int ADIOI_AUTOTUNE_kind_find(const ADIOI_AUTOTUNE_state *state, atm_access *access_p);
/* On rank 0, when a file is closed. */
void ADIOI_AUTOTUNE_kind_remember(const ADIOI_AUTOTUNE_state *state);

/* On rank 0: bytes of earlier writes that caches of the file's file system may still hold. */
double ADIOI_AUTOTUNE_dirty(const ADIOI_AUTOTUNE_root *root);
/* On rank 0: whether they may hold any, of any file system. */
int ADIOI_AUTOTUNE_dirty_known(void);
/* A collective write of so many bytes of this rank has ended; local. */
void ADIOI_AUTOTUNE_dirty_add(const ADIOI_AUTOTUNE_state *state, double own_bytes);

/* On rank 0: bytes of a read of this file that this program has written and may still hold;
 * *config_p is how it did. */
uint64_t ADIOI_AUTOTUNE_cached(const ADIOI_AUTOTUNE_state *state, const atm_access *access,
                               atm_config *config_p);
/* A collective write of so many bytes of this rank has ended; local. */
void ADIOI_AUTOTUNE_written_add(const ADIOI_AUTOTUNE_state *state, double own_bytes);

typedef enum {
    ADIOI_AUTOTUNE_TRUSTED,
    ADIOI_AUTOTUNE_UNKNOWN, /* no file to compare with */
    ADIOI_AUTOTUNE_SLOWER   /* files on targets that were picked */
} ADIOI_AUTOTUNE_trust;

/* On rank 0: what the next file is to make of the state of storage. */
ADIOI_AUTOTUNE_trust ADIOI_AUTOTUNE_trust_now(void);
/* Collective over the file's communicator, at the end of a file that is judged. */
void ADIOI_AUTOTUNE_trust_end(MPI_Comm comm, const ADIOI_AUTOTUNE_state *state);

/* --- ad_autotune_decide.c */

/* Collective: rank 0 decides for decision->access, unless it is unchanged, and broadcasts what it
 * has filled in; what other ranks pass does not matter.  ranks_p gets the
 * aggregators, decision->plan.cb_nodes of them, ADIOI_Malloc'ed, or NULL. */
void ADIOI_AUTOTUNE_decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                           ADIOI_AUTOTUNE_decision *decision, int **ranks_p);

/* On rank 0: the situation before that collective call (0: at open), but for the storage. */
void ADIOI_AUTOTUNE_situation(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                              const atm_access *access, int call, atm_situation *situation_p);

/* --- ad_autotune_life.c */

/* On rank 0: how many calls are still expected, with this one. */
double ADIOI_AUTOTUNE_calls_expected(const ADIOI_AUTOTUNE_state *state, int call);
/* On rank 0: what is known of them. */
atm_life ADIOI_AUTOTUNE_life(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int call);

/* Whether a call of so many bytes of this rank is like the one that the last decision is for, as
 * far as this rank can tell; local, as the next four. */
int ADIOI_AUTOTUNE_is_like(const ADIOI_AUTOTUNE_state *state, int writes, double bytes);
/* The bytes of all ranks in such a call. */
double ADIOI_AUTOTUNE_moved(const ADIOI_AUTOTUNE_state *state, double bytes);
/* One that is like it has taken so long. */
void ADIOI_AUTOTUNE_measure(ADIOI_AUTOTUNE_state *state, double seconds, double storage_seconds);
/* What was measured since; forget it, as a call of so many bytes of this rank follows. */
void ADIOI_AUTOTUNE_measured(const ADIOI_AUTOTUNE_state *state, double times[ATC_ACCESS_TIMES]);
void ADIOI_AUTOTUNE_measure_anew(ADIOI_AUTOTUNE_state *state, uint64_t own_bytes);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_DECIDE_H_INCLUDED */
