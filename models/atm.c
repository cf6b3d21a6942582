/* Names and texts of what atm.h declares, and the numbers that people write. */

#include "atm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *atm_status_text(atm_status status)
{
    switch (status) {
        case ATM_OK:
            return "success";
        case ATM_NO_MEMORY:
            return "out of memory";
        case ATM_BAD_ARGUMENT:
            return "bad argument";
        case ATM_BAD_FILE:
            return "contents cannot be used";
        case ATM_NO_ACCESS:
            return "file cannot be read or written";
        case ATM_NO_CHOICE:
            return "no configuration is allowed by the constraints";
    }
    return "unknown status";
}

bool atm_parse_size(const char *text, uint64_t max, uint64_t *size_p)
{
    static const char units[] = "KkMmGgTt";
    unsigned long long number;
    const char *unit;
    int shift = 0;
    char *end;

    if (text[0] < '0' || text[0] > '9') /* strtoull takes a sign and spaces as well */
        return false;
    errno = 0;
    number = strtoull(text, &end, 10);
    unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        shift = 10 * (int) ((unit - units) / 2 + 1);
        end++;
    }
    if (*end != '\0' || errno != 0 || number == 0 || number > max >> shift)
        return false;
    *size_p = (uint64_t) number << shift;
    return true;
}

const char *const atm_operation_names[] = {[ATM_ALLREDUCE] = "allreduce",
                                           [ATM_ALLGATHER] = "allgather",
                                           [ATM_ALLTOALL] = "alltoall",
                                           [ATM_EXCHANGE] = "exchange",
                                           [ATM_BCAST] = "bcast",
                                           [ATM_WRITE_FIRST] = "write_first",
                                           [ATM_WRITE_FULL] = "write_full",
                                           [ATM_WRITE_PARTIAL] = "write_partial",
                                           [ATM_WRITE_DRAINED] = "write_drained",
                                           [ATM_READ_FIRST] = "read_first",
                                           [ATM_READ_FULL] = "read_full",
                                           [ATM_READ_PARTIAL] = "read_partial",
                                           [ATM_READ_CACHED] = "read_cached",
                                           [ATM_WRITE_INDEPENDENT] = "write_independent",
                                           [ATM_READ_INDEPENDENT] = "read_independent",
                                           [ATM_TOUCH] = "touch",
                                           [ATM_OPERATION_COUNT] = NULL};

const char *const atm_feature_names[] = {
    [ATM_NODES] = "nodes",         [ATM_PER_NODE] = "per_node", [ATM_SENDERS] = "senders",
    [ATM_RECEIVERS] = "receivers", [ATM_BYTES] = "bytes",       [ATM_STRIPES] = "stripes",
    [ATM_MESSAGES] = "messages",   [ATM_FAR] = "far",           [ATM_LINK] = "link",
    [ATM_UPLINK] = "uplink",       [ATM_FEATURE_COUNT] = NULL};

const char *atm_operation_name(atm_operation operation)
{
    return (unsigned) operation < ATM_OPERATION_COUNT ? atm_operation_names[operation] : "unknown";
}

atm_kind atm_operation_kind(atm_operation operation)
{
    return (unsigned) operation < ATM_WRITE_FIRST || operation == ATM_TOUCH ? ATM_COMMUNICATION_KIND
                                                                            : ATM_STORAGE_KIND;
}

const char *atm_feature_name(atm_feature feature)
{
    return (unsigned) feature < ATM_FEATURE_COUNT ? atm_feature_names[feature] : "unknown";
}

const char *atm_part_name(atm_part part)
{
    static const char *const names[ATM_PART_COUNT] = {
        [ATM_PARTITIONING] = "partitioning", [ATM_SHUFFLE] = "shuffle", [ATM_STORAGE] = "storage"};
    return (unsigned) part < ATM_PART_COUNT ? names[part] : "unknown";
}

const char *atm_order_name(atm_order order)
{
    static const char *const names[ATM_ORDER_COUNT] = {
        [ATM_BY_DATA] = "by data", [ATM_BY_PSET] = "by pset"};
    return (unsigned) order < ATM_ORDER_COUNT ? names[order] : "unknown";
}

const char *atm_driver_name(atm_driver driver)
{
    static const char *const names[ATM_DRIVER_COUNT] = {
        [ATM_UFS] = "ufs", [ATM_NFS] = "nfs", [ATM_GPFS] = "gpfs", [ATM_LUSTRE] = "lustre"};
    return (unsigned) driver < ATM_DRIVER_COUNT ? names[driver] : "unknown";
}
