/* What the surrogates' models share; private to models/. */

#ifndef SUR_H
#define SUR_H

#include "atm.h"
#include "value/value.h"

/* A family of models.  To add one: copy cost/surrogate_const.c, list it in cost/surrogate.c. */
typedef struct sur_type {
    const char *name;
    size_t size; /* of a model */
    /* Fills a model, all zero, of this many inputs from the member "parameters" of
     * a surrogate: checks everything, so that predict needs to check nothing.  It
     * is cleared also after a failure. */
    atm_status (*read)(const atm_value *object, int inputs, atm_message *message, void *model);
    /* The same members again. */
    void (*write)(const void *model, atm_value *object);
    /* The output for inputs within +-SUR_BIG; NaN and infinity are dealt with
     * by the caller.  A model that knows how far its parts
     * disagree sets *spread_p (a standard deviation in units of the output),
     * the others leave it. */
    double (*predict)(const void *model, const double *inputs, double *spread_p);
    /* Frees what a model has, not the model; NULL where it has nothing. */
    void (*clear)(void *model);
} sur_type;

/* *model_p: sur_model_destroy, which takes NULL. */
atm_status sur_model_read(const sur_type *type, const atm_value *object, int inputs,
                          atm_message *message, void **model_p);
void sur_model_destroy(const sur_type *type, void *model);

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

enum {
    SUR_MAX_INSTANCES = 4096, /* of knn and rules; support vectors of svr */
    SUR_MAX_TREES = 1024,
    SUR_MAX_INPUTS =
        16 /* of forest, mlp and svr: the classifiers of state/ have more than surrogates */
};

/* The output of each tree of a forest, which number: for sums other than the mean. */
int sur_forest_outputs(const void *model, const double *inputs, double outputs_p[SUR_MAX_TREES]);

#endif /* SUR_H */
