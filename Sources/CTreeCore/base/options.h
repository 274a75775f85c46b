/* Reading a struct of options that a caller of any version has filled in. */
#ifndef CT_OPTIONS_H
#define CT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies what the caller gave over the defaults in `options`, a struct of `known` bytes that begins with its size as
 * a size_t. False where less than `least` is given, where something is asked for that is not known here, or where the
 * size is none that a header will ever have.
 */
bool ct_read_options(void *options, size_t known, size_t least, const void *given);

#endif
