#include "ids/xxh64.h"

#include "base/bits.h"

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u

static uint64_t rotate(uint64_t word, unsigned by) { return word << by | word >> (64 - by); }

static uint64_t take_in(uint64_t lane, uint64_t word) { return rotate(lane + word * PRIME_2, 31) * PRIME_1; }

static uint64_t merge(uint64_t hash, uint64_t lane) { return (hash ^ take_in(0, lane)) * PRIME_1 + PRIME_4; }

uint64_t ct_xxh64(const void *bytes, size_t length, uint64_t seed) {
    const unsigned char *at = bytes;
    size_t left = length;
    uint64_t hash = seed + PRIME_5;
    if (left >= 32) {
        uint64_t lanes[4] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
        for (; left >= 32; left -= 32) {
            for (int i = 0; i < 4; i++, at += 8) lanes[i] = take_in(lanes[i], ct_load_le64(at));
        }
        hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
        for (int i = 0; i < 4; i++) hash = merge(hash, lanes[i]);
    }
    hash += length;
    for (; left >= 8; left -= 8, at += 8) hash = rotate(hash ^ take_in(0, ct_load_le64(at)), 27) * PRIME_1 + PRIME_4;
    if (left >= 4) {
        hash = rotate(hash ^ ct_load_le32(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        left -= 4;
        at += 4;
    }
    for (; left > 0; left--, at++) hash = rotate(hash ^ *at * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
