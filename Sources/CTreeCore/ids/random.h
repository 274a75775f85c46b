/* Random numbers from the system, fit for a key. */
#ifndef CT_RANDOM_H
#define CT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* False where the system has none to give. */
bool ct_random(void *bytes, size_t size);

#endif
