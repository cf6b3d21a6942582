/* The inside of a surrogate; private to cost/surrogate.c and cost/surrogate_file.c. */

#ifndef SUR_INSIDE_H
#define SUR_INSIDE_H

#include "pipeline.h"
#include "surrogate.h"
#include "surrogate_kind.h"

/* How time grows with a feature beyond its training range. */
typedef enum sur_law {
    SUR_CONSTANT, /* not at all */
    SUR_LINEAR,   /* latency + value / bandwidth */
    SUR_LOG,      /* by the same with each doubling */
    SUR_LAWS
} sur_law;

/* Features of a query count up to here; training ranges end here as well. */
#define SUR_FAR 1e30

enum { SUR_MEMBERS = 8 };

typedef struct sur_member {
    const sur_type *type;
    void *model;
    atm_pipeline pipeline;
} sur_member;

enum { SUR_CORRECTIONS = 16 };

/* Factors on seconds at some sizes, which grow. */
typedef struct sur_correction {
    int count; /* 0: none */
    double bytes[SUR_CORRECTIONS], factor[SUR_CORRECTIONS];
} sur_correction;

/* count > 0 */
double sur_correction_factor(const sur_correction *correction, double bytes);
/* The member of a surrogate, if it has one; the correction is all zero before. */
atm_status sur_correction_read(const atm_value *surrogate, atm_message *message,
                               sur_correction *correction);
void sur_correction_write(const sur_correction *correction, atm_value *surrogate);

/* The member "scaled" of a surrogate, if it has one; all zero before. */
atm_status sur_scaled_read(const atm_value *surrogate, atm_message *message, atm_scaled *scaled);
void sur_scaled_write(const atm_scaled *scaled, atm_value *surrogate);

/* The member "features": names, each once. */
atm_status sur_features_read(const atm_value *value, atm_message *message, atm_feature *features_p,
                             int *count_p);

/* What errors grow by on the way to a query. */
typedef struct sur_outside {
    int count;   /* 0: not known */
    int columns; /* features of a place: */
    atm_feature feature[ATM_FEATURE_COUNT];
    double *places;                                           /* [count][columns] measured; ours */
    double *logs;                                             /* of these, to base 2; ours */
    double least[ATM_FEATURE_COUNT], most[ATM_FEATURE_COUNT]; /* of these, of each column */
    double spacing;                                           /* in doublings, of places */
    double deviation[ATM_AWAY_COUNT]; /* of the logarithm, for each doubling beyond that */
    bool by_power;                    /* beyond the range, scale grows by the exponents: */
    double power[ATM_FEATURE_COUNT];
    double alike; /* share of its square that other queries in this direction have, too */
} sur_outside;

atm_status sur_outside_read(const atm_value *surrogate, int columns, atm_message *message,
                            sur_outside *outside);
void sur_outside_write(const sur_outside *outside, int columns, atm_value *surrogate);
/* Doublings from the nearest place, less the spacing, that features are away in each direction;
 * bytes count as at least so many. */
void sur_outside_offset(const sur_outside *outside, const double features[ATM_FEATURE_COUNT],
                        double bytes, double offset_p[ATM_AWAY_COUNT]);
double sur_outside_variance(const sur_outside *outside, const double offset[ATM_AWAY_COUNT]);
double sur_outside_covariance(const sur_outside *outside, const double one[ATM_AWAY_COUNT],
                              const double other[ATM_AWAY_COUNT]);

struct atm_surrogate {
    sur_member *members; /* [member_count]; ours */
    int member_count;    /* 1, or those of a mean */
    int count;           /* of the features it uses */
    atm_feature feature[ATM_FEATURE_COUNT];
    double min[ATM_FEATURE_COUNT]; /* training range */
    double max[ATM_FEATURE_COUNT];
    sur_law law[ATM_FEATURE_COUNT];
    double error;  /* relative, from cross-validation */
    void *errors;  /* the same by place, a model of sur_forest; or NULL */
    double length; /* in which errors lose their correlation */
    double seconds_min, seconds_max;
    sur_correction correction;
    atm_scaled scaled; /* factor 0: it is not */
    sur_outside outside;
};

#define SUR_MEAN "mean"

/* All types; NULL after the last. */
const sur_type *sur_type_at(size_t index);

#endif /* SUR_INSIDE_H */
