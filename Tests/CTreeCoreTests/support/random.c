#include "support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

random_source random_from_seed(uint64_t seed) {
    random_source source = {seed, NULL, 0, 0};
    return source;
}

random_source random_from_bytes(const uint8_t *bytes, size_t size) {
    random_source source = {0, bytes, size, 0};
    return source;
}

bool random_is_over(const random_source *source) { return source->bytes != NULL && source->at >= source->size; }

/* A Weyl sequence through a mixer: every seed gives a full period, also 0. */
static uint64_t generate(random_source *source) {
    source->state += 0x9E3779B97F4A7C15u;
    uint64_t word = source->state;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

/* As few bytes as the bound needs, so that a fuzzer's mutations stay local. */
static uint64_t take(random_source *source, unsigned count) {
    uint64_t word = 0;
    for (unsigned i = 0; i < count && source->at < source->size; i++) word = word << 8 | source->bytes[source->at++];
    return word;
}

uint64_t random_u64(random_source *source) { return source->bytes == NULL ? generate(source) : take(source, 8); }

uint32_t random_below(random_source *source, uint32_t bound) {
    if (bound <= 1) return 0;
    if (source->bytes == NULL) return (uint32_t)(generate(source) >> 32) % bound;
    return (uint32_t)(take(source, bound <= 256 ? 1 : bound <= 65536 ? 2 : 4) % bound);
}

bool random_chance(random_source *source, uint32_t times, uint32_t out_of) {
    return random_below(source, out_of) >= out_of - times;
}

uint64_t random_seed_of_test(const char *name, uint64_t otherwise) {
    const char *text = getenv("CTREE_SEED");
    uint64_t seed = text != NULL && *text != '\0' ? strtoull(text, NULL, 0) : otherwise;
    printf("%s: seed %" PRIu64 " (set CTREE_SEED to repeat)\n", name, seed);
    fflush(stdout);
    return seed;
}

uint32_t random_runs(void) {
    const char *text = getenv("CTREE_RANDOM_RUNS");
    unsigned long runs = text != NULL ? strtoul(text, NULL, 10) : 1;
    return runs < 1 ? 1 : runs > 1000000 ? 1000000 : (uint32_t)runs;
}
