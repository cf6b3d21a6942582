/* What the surrogates' models share; private to models/. */

#ifndef SUR_H
#define SUR_H

#include "atm.h"
#include "value/value.h"

/* A family of models.  To add one: copy cost/surrogate_const.c, list it in cost/surrogate.c. */
typedef struct sur_type {
    const char *name;
    /* A model of this many inputs from the member "parameters" of a surrogate:
     * checks everything, so that predict needs to check nothing. */
    atm_status (*read)(const atm_value *object, int inputs, atm_message *message, void **model_p);
    /* The same members again. */
    void (*write)(const void *model, atm_value *object);
    /* The output for inputs within +-SUR_BIG; NaN and infinity are dealt with
     * by the caller.  A model that knows how far its parts
     * disagree sets *spread_p (a standard deviation in units of the output),
     * the others leave it. */
    double (*predict)(const void *model, const double *inputs, double *spread_p);
    void (*destroy)(void *model);
} sur_type;

extern const sur_type sur_const;
extern const sur_type sur_linear;
extern const sur_type sur_knn;
extern const sur_type sur_svr;
extern const sur_type sur_rules;
extern const sur_type sur_forest;
extern const sur_type sur_mlp;

/* Bound of the numbers in parameters and of a model's inputs: products of
 * three stay finite. */
#define SUR_BIG 1e100

enum { SUR_MAX_INSTANCES = 4096 }; /* of knn and rules; support vectors of svr */

#endif /* SUR_H */
