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
};

#define SUR_MEAN "mean"

/* All types; NULL after the last. */
const sur_type *sur_type_at(size_t index);

#endif /* SUR_INSIDE_H */
