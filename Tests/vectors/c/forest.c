/* A forest from the input lines of a step. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

void items_free(struct items *items) {
    free(items->ids);
    free(items->parents);
    free(items->values);
    free(items->revisions);
    free(items->states);
}

static void read_item(struct run *run, const struct words *line, struct items *items, int i) {
    if (line->count < 2 || line->count > 5) {
        run->complaint = "an item is + PARENT ID [VALUE [REVISION [STATE]]]";
        return;
    }
    items->parents[i] = strcmp(line->word[0], "-") == 0 ? CTREE_END : small_of(run, line->word[0]);
    items->ids[i] = id_of(run, line->word[1], run->bytes);
    items->values[i] = line->count > 2 ? number_of(run, line->word[2]) : 0;
    items->revisions[i] = line->count > 3 ? number_of(run, line->word[3]) : 0;
}

bool items_of(struct run *run, const struct step *step, struct items *items) {
    size_t count = (size_t)step->input_count;
    memset(items, 0, sizeof *items);
    items->ids = grow(NULL, count, sizeof *items->ids);
    items->parents = grow(NULL, count, sizeof *items->parents);
    items->values = grow(NULL, count, sizeof *items->values);
    items->revisions = grow(NULL, count, sizeof *items->revisions);
    items->states = grow(NULL, count, sizeof *items->states);
    bool said = false;
    for (int i = 0; i < step->input_count && run->complaint == NULL; i++) read_item(run, &step->input[i], items, i);
    for (int i = 0; i < step->input_count && run->complaint == NULL; i++) {
        const struct words *line = &step->input[i];
        items->states[i] = CTREE_STATE_LEAF;
        for (int j = 0; j < step->input_count; j++) {
            if (items->parents[j] == (uint32_t)i) items->states[i] = CTREE_STATE_LOADED;
        }
        if (line->count > 4 && strcmp(line->word[4], "auto") != 0) {
            items->states[i] = (uint8_t)state_of(run, line->word[4]);
            said = true;
        }
    }
    items->forest = (ctree_forest)CTREE_FOREST_INIT;
    items->forest.count = count;
    items->forest.ids = items->ids;
    items->forest.parents = items->parents;
    items->forest.values = items->values;
    items->forest.revisions = items->revisions;
    items->forest.states = said ? items->states : NULL;
    return run->complaint == NULL;
}
