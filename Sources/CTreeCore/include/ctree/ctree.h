/* CTreeCore: the whole public interface. */
#ifndef CTREE_H
#define CTREE_H

#include "ctree/base.h"
#include "ctree/changes.h"
#include "ctree/batch.h"
#include "ctree/diff.h"
#include "ctree/edit.h"
#include "ctree/load.h"
#include "ctree/rows.h"
#include "ctree/saved.h"
#include "ctree/selection.h"
#include "ctree/store.h"
#include "ctree/view.h"
#include "ctree/view_rows.h"
#include "ctree/watch.h"

#endif
