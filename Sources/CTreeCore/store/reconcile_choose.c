#include "store/reconcile.h"

/*
 * The longest ascending subsequence, by the ends of the best ones of each length: the end of the best of length n + 1
 * is in ends[n], and before[i] leads from each item to the one before it.
 */
typedef struct tails {
    const uint32_t *items;
    uint32_t *ends; /* positions in `items` */
    uint32_t count;
} tails;

static bool ends_below(const tails *e, uint32_t length, uint32_t item) { return e->items[e->ends[length]] < item; }

/*
 * How many of the ends are below an item. The last answer is near: where a run of items moved as one, each item's
 * answer is one more than the last. So steps that double, away from it, then halves.
 */
static uint32_t count_below(const tails *e, uint32_t item, uint32_t near) {
    uint32_t low, high, step = 1; /* ends before `low` are below the item, those from `high` on are not */
    if (near < e->count && ends_below(e, near, item)) {
        low = near + 1;
        high = low;
        while (high < e->count && ends_below(e, high, item)) {
            low = high + 1;
            high = e->count - high > step ? high + step : e->count;
            step *= 2;
        }
    } else {
        high = near < e->count ? near : e->count;
        low = high;
        while (low > 0 && !ends_below(e, low - 1, item)) {
            high = low - 1;
            low = low > step ? low - step : 0;
            step *= 2;
        }
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ends_below(e, middle, item)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void ct_reconcile_choose(const uint32_t *items, uint32_t count, uint32_t *scratch, uint8_t *flags) {
    tails e = {items, scratch, 0};
    uint32_t *before = scratch + count;
    uint32_t below = 0;
    for (uint32_t i = 0; i < count; i++) {
        below = count_below(&e, items[i], below);
        before[i] = below != 0 ? e.ends[below - 1] : i;
        e.ends[below] = i;
        if (below == e.count) e.count++;
    }
    if (e.count == 0) return;
    uint32_t i = e.ends[e.count - 1];
    for (uint32_t left = e.count; left != 0; left--) {
        flags[items[i]] |= CT_ITEM_STAYS;
        i = before[i];
    }
}
