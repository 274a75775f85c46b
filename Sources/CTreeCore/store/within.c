#include "store/within.h"

static ct_answer ask_views(const ctree_store *store, uint32_t *slot, uint32_t ancestor) {
    const ct_edits *edits = &store->edits;
    for (size_t i = 0; i < edits->count; i++) {
        const ct_observer *observer = &edits->observers[i];
        if (observer->token == 0 || observer->within == NULL) continue;
        ct_answer answer = observer->within(observer->listener.context, slot, ancestor);
        if (answer != CT_MAYBE) return answer;
    }
    return CT_MAYBE;
}

bool ct_is_within(const ctree_store *store, uint32_t slot, uint32_t ancestor) {
    enum { NEAR = 16 }; /* Levels that are walked in less time than a view takes. */
    for (uint32_t walked = 0; slot != ancestor; walked++) {
        if (slot == CT_TOP) return false;
        if (walked >= NEAR) {
            ct_answer answer = ask_views(store, &slot, ancestor);
            if (answer != CT_MAYBE) return answer == CT_YES;
        }
        slot = ct_hot_at(store, slot)->parent;
    }
    return true;
}
