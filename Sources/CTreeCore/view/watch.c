#include "ctree/watch.h"

#include "view/view.h"

ctree_status ctree_view_watch(ctree_view *view, ctree_splice_fn watcher, void *context) {
    if (view == NULL) return CTREE_INVALID;
    if (view->store->closed) return CTREE_CLOSED;
    if (view->store->edits.busy) return CTREE_BUSY;
    view->live.watcher = watcher;
    view->live.watcher_context = context;
    return CTREE_OK;
}

void ct_live_tell(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t removed, uint32_t inserted) {
    ct_live *live = &view->live;
    if (live->watcher == NULL || live->silent || seq != &live->shown || (removed == 0 && inserted == 0)) return;
    bool *busy = &view->store->edits.busy, was_busy = *busy;
    ctree_splice splice = {at, removed, inserted};
    *busy = true;
    live->watcher(live->watcher_context, view, &splice);
    *busy = was_busy;
}
