#include "support/world_calls.h"

#include "support/assertions.h"

bool op_takes_forest(op_kind kind) {
    return kind == OP_BUILD || kind == OP_RECONCILE || kind == OP_FINISH || kind == OP_APPEND;
}

static ctree_status create_view(world *w, const op *call) {
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = call->flags;
    options.default_depth = call->levels;
    return ctree_view_create(w->store, &options, &w->views[call->view]);
}

ctree_status call_engine(world *w, op *call, const ctree_progress *progress) {
    ctree_store *s = w->store;
    ctree_view *view = w->views[call->view];
    switch (call->kind) {
        case OP_INSERT: return ctree_store_insert(s, call->parent, call->at, call->id, call->init, &call->out);
        case OP_REMOVE: return ctree_store_remove(s, call->node);
        case OP_REMOVE_CHILDREN: return ctree_store_remove_children(s, call->parent, call->at, call->count);
        case OP_MOVE: return ctree_store_move(s, call->node, call->parent, call->at);
        case OP_SET_VALUE: return ctree_store_set_value(s, call->node, call->value, call->revision);
        case OP_SET_LEAF: return ctree_store_set_leaf(s, call->node, call->flag);
        case OP_BUILD:
            return ctree_store_build(s, call->parent, call->at, call->forest, progress, call->outs, &call->fault);
        case OP_GRAFT:
            return ctree_store_graft(s, call->parent, call->at, call->other->store, progress, &call->fault);
        case OP_RECONCILE:
            return ctree_store_reconcile(s, call->parent, call->forest, call->elsewhere, progress, call->outs,
                                         &call->fault);
        case OP_REQUEST: return ctree_load_request(s, call->node);
        case OP_NEXT_REQUEST: call->out = ctree_load_next_request(s); return CTREE_OK;
        case OP_BEGIN: return ctree_load_begin(s, call->node, call->flags, &call->ticket);
        case OP_FINISH:
            return ctree_load_finish(s, call->node, call->ticket, call->forest, call->elsewhere, call->outs,
                                     &call->fault);
        case OP_APPEND:
            return ctree_load_append(s, call->node, call->ticket, call->forest, call->flag, call->outs, &call->fault);
        case OP_FAIL: return ctree_load_fail(s, call->node, call->ticket, call->value);
        case OP_CANCEL: return ctree_load_cancel(s, call->node, call->ticket);
        case OP_DROP: return ctree_load_drop(s, call->node);
        case OP_VIEW_CREATE: return create_view(w, call);
        case OP_VIEW_DESTROY: ctree_view_destroy(view); return CTREE_OK;
        case OP_EXPAND: return ctree_view_expand(view, call->node);
        case OP_COLLAPSE: return ctree_view_collapse(view, call->node);
        case OP_TOGGLE: return ctree_view_toggle(view, call->node);
        case OP_EXPAND_ALL: return ctree_view_expand_all(view, call->node, call->levels, progress);
        case OP_COLLAPSE_ALL: return ctree_view_collapse_all(view, call->node);
        case OP_REVEAL: return ctree_view_reveal(view, call->node);
        default: CHECK_EQUAL(call->kind, OP_KINDS); return CTREE_INVALID;
    }
}

ctree_status call_twin(world *w, const op *call, ctree_status told, twin_node **nodes, ctree_ticket *ticket) {
    twin *t = w->twin;
    switch (call->kind) {
        case OP_INSERT: return twin_insert(t, call->parent, call->at, call->id, call->init, nodes);
        case OP_REMOVE: return twin_remove(t, call->node);
        case OP_REMOVE_CHILDREN: return twin_remove_children(t, call->parent, call->at, call->count);
        case OP_MOVE: return twin_move(t, call->node, call->parent, call->at);
        case OP_SET_VALUE: return twin_set_value(t, call->node, call->value, call->revision);
        case OP_SET_LEAF: return twin_set_leaf(t, call->node, call->flag);
        case OP_BUILD: return twin_build(t, call->parent, call->at, call->forest, nodes);
        case OP_GRAFT: return twin_graft(t, call->parent, call->at, call->other->twin);
        case OP_RECONCILE: return twin_reconcile(t, call->parent, call->forest, call->elsewhere, nodes);
        case OP_REQUEST: return twin_request(t, call->node);
        case OP_NEXT_REQUEST: CHECK(twin_takes_request(t, call->out)); return CTREE_OK;
        case OP_BEGIN: return twin_begin(t, call->node, call->flags, call->ticket, ticket);
        case OP_FINISH: return twin_finish(t, call->node, call->ticket, call->forest, call->elsewhere, nodes);
        case OP_APPEND: return twin_append(t, call->node, call->ticket, call->forest, call->flag, nodes);
        case OP_FAIL: return twin_fail(t, call->node, call->ticket, call->value);
        case OP_CANCEL: return twin_cancel(t, call->node, call->ticket);
        case OP_DROP: return twin_drop(t, call->node);
        case OP_VIEW_CREATE:
            if (told == CTREE_OK) twin_view_create(t, call->view, call->flags, call->levels);
            return CTREE_OK;
        case OP_VIEW_DESTROY: twin_view_destroy(t, call->view); return CTREE_OK;
        case OP_EXPAND: return twin_expand(t, call->view, call->node);
        case OP_COLLAPSE: return twin_collapse(t, call->view, call->node);
        case OP_TOGGLE: return twin_toggle(t, call->view, call->node);
        case OP_EXPAND_ALL: return twin_expand_all(t, call->view, call->node, call->levels);
        case OP_COLLAPSE_ALL: return twin_collapse_all(t, call->view, call->node);
        case OP_REVEAL: return twin_reveal(t, call->view, call->node);
        default: return CTREE_INVALID;
    }
}
