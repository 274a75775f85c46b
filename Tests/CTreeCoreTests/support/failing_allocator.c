#include "failing_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In front of each block; the same length as malloc's strictest alignment, so that the block keeps it. */
typedef struct header {
    size_t size;
    uint64_t mark;
} header;

enum { HEADER = 32, TAIL = 16, FILL_NEW = 0xA5, FILL_FREED = 0x5A, FILL_TAIL = 0xC3 };

static const uint64_t MARK_HELD = 0x48454C445F424C4Bu;
static const uint64_t MARK_FREED = 0x46524545445F424Bu;

static void stop(const char *what, const void *block, size_t told, size_t size) {
    fprintf(stderr, "failing_allocator: %s (block %p, told %zu bytes, has %zu)\n", what, block, told, size);
    abort();
}

static bool refuses(failing_allocator *memory, size_t more) {
    memory->calls++;
    bool hit = memory->fail_at != 0
               && (memory->calls == memory->fail_at || (memory->fail_onwards && memory->calls > memory->fail_at));
    if (!hit && memory->limit != 0 && memory->bytes + more > memory->limit) hit = true;
    if (hit) memory->failures++;
    return hit;
}

static void *take(failing_allocator *memory, size_t size) {
    if (size == 0) stop("a block of no bytes was asked for", NULL, size, 0);
    if (size > SIZE_MAX - HEADER - TAIL) return NULL;
    unsigned char *raw = malloc(HEADER + size + TAIL);
    if (raw == NULL) return NULL;
    header head = {size, MARK_HELD};
    memcpy(raw, &head, sizeof head);
    memset(raw + HEADER, FILL_NEW, size);
    memset(raw + HEADER + size, FILL_TAIL, TAIL);
    memory->bytes += size;
    memory->blocks++;
    if (memory->bytes > memory->peak_bytes) memory->peak_bytes = memory->bytes;
    return raw + HEADER;
}

static unsigned char *checked(const void *block, size_t told) {
    unsigned char *raw = (unsigned char *)(uintptr_t)block - HEADER;
    header head;
    memcpy(&head, raw, sizeof head);
    if (head.mark == MARK_FREED) stop("a freed block was handed in", block, told, head.size);
    if (head.mark != MARK_HELD) stop("a block that is none was handed in", block, told, 0);
    if (head.size != told) stop("the size is not the one asked for", block, told, head.size);
    for (size_t i = 0; i < TAIL; i++) {
        if (raw[HEADER + head.size + i] != FILL_TAIL)
            stop("bytes behind the end were written", block, told, head.size);
    }
    return raw;
}

static void give_back(failing_allocator *memory, void *block, size_t size) {
    unsigned char *raw = checked(block, size);
    header head = {size, MARK_FREED};
    memcpy(raw, &head, sizeof head);
    memset(raw + HEADER, FILL_FREED, size);
    memory->bytes -= size;
    memory->blocks--;
    free(raw);
}

static void *on_allocate(void *context, size_t size) {
    failing_allocator *memory = context;
    return refuses(memory, size) ? NULL : take(memory, size);
}

static void *on_reallocate(void *context, void *block, size_t old_size, size_t new_size) {
    failing_allocator *memory = context;
    if (block == NULL) stop("reallocate was called without a block", block, old_size, 0);
    checked(block, old_size);
    if (refuses(memory, new_size > old_size ? new_size - old_size : 0)) return NULL;
    void *moved = take(memory, new_size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, old_size < new_size ? old_size : new_size);
    give_back(memory, block, old_size);
    return moved;
}

static void on_release(void *context, void *block, size_t size) {
    if (block == NULL) stop("release was called without a block", block, size, 0);
    give_back(context, block, size);
}

void failing_allocator_init(failing_allocator *memory) { *memory = (failing_allocator){0}; }

ctree_allocator failing_allocator_use(failing_allocator *memory) {
    return (ctree_allocator){memory, on_allocate, on_reallocate, on_release};
}

void failing_allocator_arm(failing_allocator *memory, uint64_t n, bool onwards) {
    memory->failures = 0;
    memory->fail_at = memory->calls + n;
    memory->fail_onwards = onwards;
}

bool failing_allocator_disarm(failing_allocator *memory) {
    memory->fail_at = 0;
    memory->fail_onwards = false;
    return memory->failures != 0;
}
