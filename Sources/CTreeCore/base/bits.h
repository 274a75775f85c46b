/* What C11 has no words for, with a portable form of each. */
#ifndef CT_BITS_H
#define CT_BITS_H

#include <stdint.h>

/* Begins to bring the cache line at `address` in; any address will do. */
static inline void ct_prefetch(const void *address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#if !defined(__clang__)
    __asm__ volatile(
        ""); /* gcc takes a function that only prefetches for one that does nothing, and drops its calls */
#endif
#else
    (void)address;
#endif
}

/* The number of the lowest bit that is set. `bits` must not be 0. */
static inline uint32_t ct_lowest_bit(uint32_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(bits);
#else
    uint32_t at = 0;
    while ((bits & 1) == 0) {
        bits >>= 1;
        at++;
    }
    return at;
#endif
}

/* How many bits are set. */
static inline uint32_t ct_count_bits(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0Fu;
    return (bits * 0x01010101u) >> 24;
}

/* Numbers whose first byte is the lowest, at any alignment, on any machine. Compilers make one load of each. */
static inline uint32_t ct_load_le32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t ct_load_le64(const unsigned char *at) {
    return (uint64_t)ct_load_le32(at) | (uint64_t)ct_load_le32(at + 4) << 32;
}

static inline void ct_store_le64(unsigned char *at, uint64_t number) {
    for (int i = 0; i < 8; i++) at[i] = (unsigned char)(number >> (8 * i));
}

#endif
