/*
 * Formats: the name and the newest version of every document that is written here, each once.  A
 * document begins with both ({"format": NAME, "version": N, ...}); what else it has stands in
 * the file that is named above it (README.md: who writes and who reads it, samples and fuzz
 * targets).
 */

#ifndef ATM_FORMATS_H
#define ATM_FORMATS_H

/* models/files/profile.h */
#define ATM_PROFILE_FORMAT "romio-autotune-profile"
#define ATM_PROFILE_VERSION 1

/* models/place/topology.h */
#define ATM_TOPOLOGY_FORMAT "romio-autotune-topology"
#define ATM_TOPOLOGY_VERSION 1

/* models/advice/advice.h */
#define ATM_ADVICE_FORMAT "romio-autotune-advice"
#define ATM_ADVICE_VERSION 1

/* models/state/state.h */
#define ATM_STATE_FORMAT "romio-autotune-state"
#define ATM_STATE_VERSION 1

/* models/files/record.h */
#define ATM_RECORD_FORMAT "romio-autotune-record"
#define ATM_RECORD_VERSION 2

/* models/choose/explain.h */
#define ATM_DECISION_FORMAT "romio-autotune-decision"
#define ATM_DECISION_VERSION 1

/* models/choose/explain.h */
#define ATM_LAYOUT_FORMAT "romio-autotune-layout"
#define ATM_LAYOUT_VERSION 1

/* tools/autotune/verb_explain_hdf5.c */
#define HDF5_VARIANTS_FORMAT "romio-autotune-hdf5-variants"
#define HDF5_VARIANTS_VERSION 1

/* watch/h5_explain.c */
#define HDF5_LISTS_FORMAT "romio-autotune-hdf5"
#define HDF5_LISTS_VERSION 1

/* tools/autotune/verb_explain_record.c */
#define OUTCOME_FORMAT "romio-autotune-outcome"
#define OUTCOME_VERSION 1

/* tune/train/points.h */
#define POINTS_FORMAT "romio-autotune-points"
#define POINTS_VERSION 1

/* tune/calibrate/visits_journal.h */
#define JOURNAL_FORMAT "romio-autotune-journal"
#define JOURNAL_VERSION 2

/* tune/train/runs.h */
#define RUNS_FORMAT "romio-autotune-runs"
#define RUNS_VERSION 1

/* tune/train/runs.h */
#define RUNS_ML_FORMAT "romio-autotune-ml"
#define RUNS_ML_VERSION 1

/* tune/search/space.h */
#define ATS_SPACE_FORMAT "romio-autotune-space"
#define ATS_SPACE_VERSION 1

/* tune/search/journal.h */
#define ATS_JOURNAL_FORMAT "romio-autotune-search"
#define ATS_JOURNAL_VERSION 1

/* site/state/trace.h */
#define TRACE_FORMAT "romio-autotune-trace"
#define TRACE_VERSION 1

/* site/state/model.h */
#define STATE_MODEL_FORMAT "romio-autotune-state-model"
#define STATE_MODEL_VERSION 1

/* site/probe/jobs.h */
#define JOBS_FORMAT "romio-autotune-site"
#define JOBS_VERSION 1

/* site/collect/statistics_file.c */
#define STATISTICS_FORMAT "romio-autotune-statistics"
#define STATISTICS_VERSION 1

/* site/collect/neighbours_file.c */
#define HEALTH_FORMAT "romio-autotune-health"
#define HEALTH_VERSION 1

/* study/evaluate/sweep.h */
#define SWEEP_FORMAT "romio-autotune-sweep"
#define SWEEP_VERSION 1

/* study/search/landscape.h */
#define LANDSCAPE_FORMAT "romio-autotune-landscape"
#define LANDSCAPE_VERSION 1

#endif /* ATM_FORMATS_H */
