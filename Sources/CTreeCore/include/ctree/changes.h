/*
 * Changes of a view's rows, as batches: all that has changed since the batch that was accepted last, whatever led
 * there.
 *
 * A view that records (CTREE_VIEW_RECORDS) notes each edit in the numbers of its moment; a commit folds the notes.
 * What cancels out leaves no trace. A batch that was not accepted is part of the next.
 *
 *     edit, expand, collapse, ...
 *     ctree_view_commit(view, 0, &batch);    the table still shows what was accepted last
 *     ... hand the batch to the table ...
 *     ctree_view_accept(view);               the table shows what the batch led to
 *
 * Bounds are said with c notes since the last accept, v rows, and m rows and ranges told.
 */
#ifndef CTREE_CHANGES_H
#define CTREE_CHANGES_H

#include "ctree/batch.h"
#include "ctree/view_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The change since the last accepted batch, minimal as diff.h says it for lists without sections: the fewest moved
 * rows, then the fewest runs. A row is changed when its node's value, revision or load state was set, or it became or
 * ceased to be expandable, or the number of its children changed while they were not shown. With sections on, the
 * headers are not rows and what happens to them is not told: use ctree_view_commit_sections.
 *
 * @param limit  The most rows to tell, deleted, inserted, moved and changed together; beyond it the batch says
 * reload. 0: all of them.
 * @param out    Receives the batch, lent until the next commit or accept, or until the view ends. It says reload
 * where nothing was accepted yet, and where notes were lost for want of memory.
 * @return CTREE_OK, CTREE_INVALID (the view does not record), CTREE_BUSY, CTREE_CLOSED, CTREE_NO_MEMORY. On failure
 * the notes are kept, and the call can be repeated; where an earlier batch is accepted instead, the next says reload.
 *
 * Cost: O(c log c + m), whatever the number of rows; O(v) where everything was expanded or collapsed at once, or most
 * rows were reconciled, and with sections on.
 */
CTREE_API ctree_status ctree_view_commit(ctree_view *view, uint64_t limit, const ctree_batch **out);

/**
 * The same as a batch of sections and the rows in them.
 *
 * Cost: O(c log c + m + number of sections), and O(v) where sections came, went or changed places, or everything was
 * expanded or collapsed at once.
 */
CTREE_API ctree_status ctree_view_commit_sections(ctree_view *view, uint64_t limit, const ctree_section_batch **out);

/**
 * The batch of the last commit is what the table shows now; edits made since are part of the next. Without a commit
 * before: the table was loaded anew, and shows the rows as they are.
 *
 * @return CTREE_OK, CTREE_INVALID, CTREE_BUSY, CTREE_CLOSED, CTREE_NO_MEMORY (the next batch says reload).
 *
 * Cost: O(c), amortised over the edits; with sections O(number of sections).
 */
CTREE_API ctree_status ctree_view_accept(ctree_view *view);

#ifdef __cplusplus
}
#endif

#endif
