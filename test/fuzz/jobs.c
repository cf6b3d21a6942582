/* What squeue and qstat print: refused with a sentence, or features that are numbers. */

#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "probe/jobs.h"

static void parse(jobs_parser parser, const char *text)
{
    jobs_features features = {{0}};
    atm_message message = {""};
    jobs_site site;
    atm_status status;

    jobs_site_default(&site);
    status = parser(text, &site, "fuzz", &message, &features);
    if (status != ATM_OK) {
        require(status == ATM_BAD_FILE, "status");
        require_message(&message);
        return;
    }
    for (int i = 0; i < JOBS_FEATURES; i++)
        require(isfinite(features.value[i]) && features.value[i] >= 0, jobs_names[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    parse(jobs_parse_slurm, text);
    parse(jobs_parse_pbs, text);
    free(text);
    return 0;
}
