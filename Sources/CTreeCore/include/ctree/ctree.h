/* CTreeCore: the whole public interface. */
#ifndef CTREE_H
#define CTREE_H

#include "ctree/base.h"

#endif
