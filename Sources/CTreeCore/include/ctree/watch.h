/*
 * Watching the rows of a view: each change told at once as a splice, in the row numbers of its moment. This is what
 * GTK's items-changed, a list in a browser, or any table that counts as it goes wants.
 */
#ifndef CTREE_WATCH_H
#define CTREE_WATCH_H

#include "ctree/batch.h"
#include "ctree/view_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Told a splice when it has happened: the view's rows already are what they are after it. With sections on, headers
 * count as rows here. A row that moves is told as gone and, later in the same edit, as come. What expands or
 * collapses everything at once is told as one splice; so is a reconcile of very many steps, as the smallest range
 * that covers what differs. The store and its views are read-only there: an edit is CTREE_BUSY. In the midst of an
 * edit the nodes of a store may be ahead of, or behind, the rows: read rows, not children. With sections on, an edit
 * that has sections come, go or move leaves rows without numbers until it is over: reads of rows say none and
 * CTREE_BUSY till then.
 */
typedef void (*ctree_splice_fn)(void *context, const ctree_view *view, const ctree_splice *splice);

/**
 * Set who is told the splices of a view, in place of whoever was; NULL: nobody.
 *
 * @return CTREE_OK, CTREE_INVALID, CTREE_BUSY, CTREE_CLOSED.
 */
CTREE_API ctree_status ctree_view_watch(ctree_view *view, ctree_splice_fn watcher, void *context);

#ifdef __cplusplus
}
#endif

#endif
