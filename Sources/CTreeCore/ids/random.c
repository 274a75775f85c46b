#if (defined(__linux__) || defined(__wasi__)) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* getrandom and getentropy stand outside strict C11 */
#endif
#if defined(_WIN32) && !defined(_CRT_RAND_S)
#define _CRT_RAND_S
#endif

#include "ids/random.h"

#include <string.h>

#if defined(__linux__)
#include <sys/random.h>

/* The system call gives at most 256 bytes unbroken, and less than asked where a signal comes in between. */
static size_t from_system(unsigned char *bytes, size_t size) {
    size_t got = 0;
    while (got < size) {
        size_t part = size - got < 256 ? size - got : 256;
        ssize_t more = getrandom(bytes + got, part, 0);
        if (more <= 0) break;
        got += (size_t)more;
    }
    return got;
}
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <stdlib.h>

static size_t from_system(unsigned char *bytes, size_t size) {
    arc4random_buf(bytes, size);
    return size;
}
#elif defined(_WIN32)
#include <stdlib.h>

static size_t from_system(unsigned char *bytes, size_t size) {
    for (size_t got = 0; got < size; got += sizeof(unsigned)) {
        unsigned number;
        if (rand_s(&number) != 0) return got;
        memcpy(bytes + got, &number, size - got < sizeof number ? size - got : sizeof number);
    }
    return size;
}
#elif defined(__wasi__)
#include <unistd.h>

static size_t from_system(unsigned char *bytes, size_t size) {
    size_t got = 0;
    while (got < size) {
        size_t part = size - got < 256 ? size - got : 256;
        if (getentropy(bytes + got, part) != 0) break;
        got += part;
    }
    return got;
}
#else
static size_t from_system(unsigned char *bytes, size_t size) {
    (void)bytes;
    (void)size;
    return 0;
}
#endif

#if defined(__unix__) || defined(__APPLE__)
#include <stdio.h>

/* For a kernel or a sandbox without the call. */
static size_t from_device(unsigned char *bytes, size_t size) {
    FILE *device = fopen("/dev/urandom", "rb");
    if (device == NULL) return 0;
    size_t got = fread(bytes, 1, size, device);
    fclose(device);
    return got;
}
#else
static size_t from_device(unsigned char *bytes, size_t size) {
    (void)bytes;
    (void)size;
    return 0;
}
#endif

bool ct_random(void *bytes, size_t size) {
    size_t got = from_system(bytes, size);
    if (got < size) got += from_device((unsigned char *)bytes + got, size - got);
    return got == size;
}
