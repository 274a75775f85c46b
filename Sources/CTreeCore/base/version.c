#include "ctree/base.h"

uint32_t ctree_version(void) {
    return CTREE_VERSION_MAJOR * 1000000u + CTREE_VERSION_MINOR * 1000u + CTREE_VERSION_PATCH;
}

const char *ctree_version_string(void) { return CTREE_VERSION_STRING; }

uint32_t ctree_abi_version(void) { return CTREE_ABI_VERSION; }

const char *ctree_status_name(ctree_status status) {
    /* No default: the compiler then names a status that was added and has no name here. */
    switch (status) {
        case CTREE_OK: return "ok";
        case CTREE_NO_MEMORY: return "no memory";
        case CTREE_INVALID: return "invalid argument";
        case CTREE_STALE: return "stale handle";
        case CTREE_RANGE: return "out of range";
        case CTREE_DUPLICATE: return "duplicate identifier";
        case CTREE_LIMIT: return "limit reached";
        case CTREE_LEAF: return "leaf";
        case CTREE_CYCLE: return "cycle";
        case CTREE_BUSY: return "busy";
        case CTREE_CLOSED: return "store closed";
        case CTREE_CANCELLED: return "cancelled";
        case CTREE_SUPERSEDED: return "superseded";
        case CTREE_NOT_FOUND: return "not found";
        case CTREE_LOADING: return "loading";
        case CTREE_CORRUPT: return "corrupt";
    }
    return "unknown status";
}
