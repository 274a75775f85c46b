#include "support/simulator.h"

#include "support/assertions.h"

/* ---- What is shown --------------------------------------------------------------------------------------------- */

static sim_cell ask(const sim_source *source, sim_path path) {
    return (sim_cell){source->row_key(source->context, path), source->row_look(source->context, path)};
}

static sim_section ask_section(const sim_source *source, uint32_t section) {
    sim_section shown = {source->section_key(source->context, section),
                         source->section_look(source->context, section), NULL,
                         source->row_count(source->context, section)};
    shown.cells = must(malloc((shown.count + 1) * sizeof *shown.cells));
    for (uint32_t row = 0; row < shown.count; row++) shown.cells[row] = ask(source, (sim_path){section, row});
    return shown;
}

static void sections_free(sim_section *sections, uint32_t count) {
    for (uint32_t s = 0; s < count; s++) free(sections[s].cells);
    free(sections);
}

void sim_table_free(sim_table *table) {
    sections_free(table->sections, table->count);
    table->sections = NULL;
    table->count = 0;
}

void sim_table_load(sim_table *table, sim_source source) {
    sim_table_free(table);
    table->source = source;
    table->updating = false;
    table->count = source.section_count(source.context);
    table->sections = must(malloc((table->count + 1) * sizeof *table->sections));
    for (uint32_t s = 0; s < table->count; s++) table->sections[s] = ask_section(&source, s);
}

bool sim_table_is_true(const sim_table *table, sim_breach *breach) {
    const sim_source *source = &table->source;
    if (source->section_count(source->context) != table->count)
        return sim_broken(breach, 5, "sections", 0, table->count);
    for (uint32_t s = 0; s < table->count; s++) {
        const sim_section *shown = &table->sections[s];
        if (source->section_key(source->context, s) != shown->key)
            return sim_broken(breach, 5, "another section", s, 0);
        if (source->section_look(source->context, s) != shown->look)
            return sim_broken(breach, 5, "an old header", s, 0);
        if (source->row_count(source->context, s) != shown->count)
            return sim_broken(breach, 5, "rows", s, shown->count);
        for (uint32_t row = 0; row < shown->count; row++) {
            sim_cell cell = ask(source, (sim_path){s, row});
            if (cell.key != shown->cells[row].key) return sim_broken(breach, 5, "another row", s, row);
            if (cell.look != shown->cells[row].look) return sim_broken(breach, 5, "an old look", s, row);
        }
    }
    return true;
}

/* ---- An update ------------------------------------------------------------------------------------------------- */

enum { DELETED = 1, RELOADED = 2, MOVED = 4, INSERTED = 8 };

/* Marks of one numbering. A section's own is the mark of a row behind its last. */
typedef struct side {
    uint32_t count;
    uint32_t *rows; /* How many each section has. */
    size_t *starts; /* Where the marks of each section begin. */
    uint8_t *marks;
} side;

typedef struct work {
    const sim_table *table;
    const sim_update *update;
    side old_side, new_side;
    uint32_t *old_of;     /* For each new section the old one, or NONE. */
    sim_path *moved_from; /* For each place of the new side that a move claims. */
    sim_section *result;
    sim_breach *breach;
} work;

#define NONE UINT32_MAX

static void side_make(side *s, uint32_t count, uint32_t (*rows)(const sim_table *, uint32_t),
                      const sim_table *table) {
    s->count = count;
    s->rows = must(malloc((count + 1) * sizeof *s->rows));
    s->starts = must(malloc((count + 1) * sizeof *s->starts));
    size_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        s->rows[i] = rows(table, i);
        s->starts[i] = next;
        next += s->rows[i] + 1;
    }
    s->starts[count] = next;
    s->marks = must(calloc(next + 1, 1));
}

static void side_free(side *s) {
    free(s->rows);
    free(s->starts);
    free(s->marks);
}

static uint32_t shown_rows(const sim_table *table, uint32_t section) { return table->sections[section].count; }

static uint32_t source_rows(const sim_table *table, uint32_t section) {
    return table->source.row_count(table->source.context, section);
}

static size_t place(const side *s, sim_path path) { return s->starts[path.section] + path.row; }

static uint8_t section_mark(const side *s, uint32_t section) {
    return s->marks[s->starts[section] + s->rows[section]];
}

/* Marks a place; rules 2, 6 and 7 or 8. */
static bool mark(side *s, sim_path path, bool is_section, uint8_t with, sim_breach *breach) {
    if (path.section >= s->count) return sim_broken(breach, 2, "no such section", path.section, path.row);
    if (is_section) path.row = s->rows[path.section];
    else if (path.row >= s->rows[path.section]) return sim_broken(breach, 2, "no such row", path.section, path.row);
    uint8_t *here = &s->marks[place(s, path)];
    if ((*here & with) != 0) return sim_broken(breach, 6, "twice in one kind", path.section, path.row);
    if (*here != 0) return sim_broken(breach, is_section ? 8 : 7, "in two kinds", path.section, path.row);
    *here = with;
    return true;
}

static bool mark_all(side *s, const sim_list_of *list, bool targets, bool sections, uint8_t with,
                     sim_breach *breach) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (!mark(s, targets ? list->items[i].to : list->items[i].from, sections, with, breach)) return false;
    }
    return true;
}

/* What can be said before the model switches. */
static bool check_before(work *w) {
    const sim_update *u = w->update;
    const sim_source *source = &w->table->source;
    if (source->section_count(source->context) != w->table->count) {
        return sim_broken(w->breach, 13, "the model has switched before the update", w->table->count, 0);
    }
    for (uint32_t s = 0; s < w->table->count; s++) {
        const sim_section *shown = &w->table->sections[s];
        if (source->row_count(source->context, s) != shown->count) {
            return sim_broken(w->breach, 13, "the model has switched before the update", s, shown->count);
        }
        bool same = source->section_key(source->context, s) == shown->key;
        for (uint32_t row = 0; row < shown->count && same; row++) {
            same = source->row_key(source->context, (sim_path){s, row}) == shown->cells[row].key;
        }
        if (!same) return sim_broken(w->breach, 14, "the update does not start from what is shown", s, 0);
    }
    side_make(&w->old_side, w->table->count, shown_rows, w->table);
    return mark_all(&w->old_side, &u->section_deletes, false, true, DELETED, w->breach)
           && mark_all(&w->old_side, &u->section_reloads, false, true, RELOADED, w->breach)
           && mark_all(&w->old_side, &u->section_moves, false, true, MOVED, w->breach)
           && mark_all(&w->old_side, &u->deletes, false, false, DELETED, w->breach)
           && mark_all(&w->old_side, &u->reloads, false, false, RELOADED, w->breach)
           && mark_all(&w->old_side, &u->moves, false, false, MOVED, w->breach);
}

static bool check_reloads(work *w) {
    const sim_update *u = w->update;
    if (u->reloads.count > 0 && u->moves.count > 0) {
        return sim_broken(w->breach, 10, "rows reloaded and moved", u->reloads.count, u->moves.count);
    }
    if (u->section_reloads.count > 0 && u->section_moves.count > 0) {
        return sim_broken(w->breach, 10, "sections reloaded and moved", u->section_reloads.count, 0);
    }
    return true;
}

/* The sections of the new side: rules 3, 5, 12. */
static bool place_sections(work *w) {
    const sim_update *u = w->update;
    const sim_source *source = &w->table->source;
    uint32_t count = source->section_count(source->context);
    uint64_t expected = (uint64_t)w->table->count - u->section_deletes.count + u->section_inserts.count;
    if (count != expected) return sim_broken(w->breach, 3, "number of sections", count, expected);
    side_make(&w->new_side, count, source_rows, w->table);
    if (!mark_all(&w->new_side, &u->section_inserts, false, true, INSERTED, w->breach)
        || !mark_all(&w->new_side, &u->section_moves, true, true, MOVED, w->breach)) {
        return false;
    }
    w->old_of = must(malloc((count + 1) * sizeof *w->old_of));
    for (uint32_t i = 0; i < u->section_moves.count; i++) {
        w->old_of[u->section_moves.items[i].to.section] = u->section_moves.items[i].from.section;
    }
    uint32_t next = 0;
    for (uint32_t t = 0; t < count; t++) {
        uint8_t here = section_mark(&w->new_side, t);
        if (here == INSERTED) w->old_of[t] = NONE;
        if (here != 0) continue;
        while ((section_mark(&w->old_side, next) & (DELETED | MOVED)) != 0) next++;
        w->old_of[t] = next++;
    }
    for (uint32_t t = 0; t < count; t++) {
        if (w->old_of[t] == NONE) continue;
        if (source->section_key(source->context, t) != w->table->sections[w->old_of[t]].key) {
            return sim_broken(w->breach, 5, "another section fills the place", t, w->old_of[t]);
        }
    }
    return true;
}

/* Marks the rows of the new side. */
static bool place_rows(work *w) {
    const sim_update *u = w->update;
    w->moved_from = must(malloc((w->new_side.starts[w->new_side.count] + 1) * sizeof *w->moved_from));
    if (!mark_all(&w->new_side, &u->inserts, false, false, INSERTED, w->breach)
        || !mark_all(&w->new_side, &u->moves, true, false, MOVED, w->breach)) {
        return false;
    }
    for (uint32_t i = 0; i < u->moves.count; i++) {
        w->moved_from[place(&w->new_side, u->moves.items[i].to)] = u->moves.items[i].from;
    }
    return true;
}

/* Whether rows may change in a section: rules 9 and 11. */
static bool may_change(work *w, const sim_list_of *list, bool new_numbers, bool targets) {
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t section = targets ? list->items[i].to.section : list->items[i].from.section;
        uint32_t old_section = new_numbers ? w->old_of[section] : section;
        uint8_t here = old_section == NONE ? INSERTED : section_mark(&w->old_side, old_section);
        if (here == MOVED) return sim_broken(w->breach, 11, "a row changes in a section that moves", section, i);
        if (here != 0) return sim_broken(w->breach, 9, "a row changes in a section that does so too", section, i);
    }
    return true;
}

static bool check_sections_of_rows(work *w) {
    const sim_update *u = w->update;
    return may_change(w, &u->deletes, false, false) && may_change(w, &u->reloads, false, false)
           && may_change(w, &u->moves, false, false) && may_change(w, &u->inserts, true, false)
           && may_change(w, &u->moves, true, true);
}

/* The cells of a section that survives: rules 4 and 5. */
static bool fill_section(work *w, uint32_t t) {
    const sim_source *source = &w->table->source;
    uint32_t s = w->old_of[t];
    const sim_section *was = &w->table->sections[s];
    uint32_t count = w->new_side.rows[t], free_places = 0, survivors = 0;
    for (uint32_t row = 0; row < count; row++)
        free_places += w->new_side.marks[place(&w->new_side, (sim_path){t, row})] == 0;
    for (uint32_t row = 0; row < was->count; row++) {
        survivors += (w->old_side.marks[place(&w->old_side, (sim_path){s, row})] & (DELETED | MOVED)) == 0;
    }
    if (free_places != survivors) return sim_broken(w->breach, 4, "number of rows", t, count);
    sim_section *shown = &w->result[t];
    *shown = (sim_section){was->key, was->look, must(malloc((count + 1) * sizeof(sim_cell))), count};
    uint32_t next = 0;
    for (uint32_t row = 0; row < count; row++) {
        sim_path path = {t, row};
        sim_cell cell = ask(source, path);
        uint8_t here = w->new_side.marks[place(&w->new_side, path)];
        if (here == 0) {
            while ((w->old_side.marks[place(&w->old_side, (sim_path){s, next})] & (DELETED | MOVED)) != 0) next++;
            bool reloaded = w->old_side.marks[place(&w->old_side, (sim_path){s, next})] == RELOADED;
            shown->cells[row] = was->cells[next++];
            if (reloaded) shown->cells[row].look = cell.look;
        } else if (here == MOVED) {
            sim_path from = w->moved_from[place(&w->new_side, path)];
            shown->cells[row] = w->table->sections[from.section].cells[from.row];
        } else {
            shown->cells[row] = cell;
        }
        if (shown->cells[row].key != cell.key) return sim_broken(w->breach, 5, "another row fills the place", t, row);
    }
    return true;
}

/* Where a moved thing would come to stand anyway is among as many free places as there are survivors before it. Both
   count it: its old place as a survivor's, its new one as free. */
static bool moves_are_moves(work *w, const sim_list_of *moves, bool sections) {
    for (uint32_t i = 0; i < moves->count; i++) {
        sim_path from = moves->items[i].from, to = moves->items[i].to;
        uint32_t survivors = 0, free_places = 0;
        if (sections) {
            for (uint32_t s = 0; s < from.section; s++)
                survivors += (section_mark(&w->old_side, s) & (DELETED | MOVED)) == 0;
            for (uint32_t t = 0; t < to.section; t++) free_places += section_mark(&w->new_side, t) == 0;
        } else {
            if (w->old_of[to.section] != from.section) continue;
            const uint8_t *olds = &w->old_side.marks[w->old_side.starts[from.section]];
            const uint8_t *news = &w->new_side.marks[w->new_side.starts[to.section]];
            for (uint32_t row = 0; row < from.row; row++) survivors += (olds[row] & (DELETED | MOVED)) == 0;
            for (uint32_t row = 0; row < to.row; row++) free_places += news[row] == 0;
        }
        if (survivors == free_places)
            return sim_broken(w->breach, 12, "a move to where it would be", to.section, to.row);
    }
    return true;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Rule 15, of the model that the source has now. */
static bool keys_are_unique(work *w) {
    const sim_source *source = &w->table->source;
    size_t count = 0, room = w->new_side.starts[w->new_side.count] + 1;
    uint64_t *keys = must(malloc(room * sizeof *keys)), *sections = must(malloc(room * sizeof *keys));
    uint64_t twice = 0;
    for (uint32_t t = 0; t < w->new_side.count; t++) {
        sections[t] = w->result[t].key;
        for (uint32_t row = 0; row < w->result[t].count; row++) keys[count++] = w->result[t].cells[row].key;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    qsort(sections, w->new_side.count, sizeof *sections, compare_keys);
    for (size_t i = 1; i < count; i++) twice = keys[i] == keys[i - 1] ? keys[i] : twice;
    for (size_t i = 1; i < w->new_side.count; i++) twice = sections[i] == sections[i - 1] ? sections[i] : twice;
    free(sections);
    if (twice != 0) {
        free(keys);
        return sim_broken(w->breach, 15, "a key twice in the model", twice, 0);
    }
    bool found = true;
    count = 0;
    for (uint32_t t = 0; t < w->new_side.count && source->row_parent != NULL; t++) {
        for (uint32_t row = 0; row < w->result[t].count && found; row++) {
            uint64_t parent = source->row_parent(source->context, (sim_path){t, row});
            found = parent == 0;
            for (size_t i = 0; i < count && !found; i++) found = keys[i] == parent;
            keys[count++] = w->result[t].cells[row].key;
        }
    }
    free(keys);
    return found ? true : sim_broken(w->breach, 15, "a child before its parent", count, 0);
}

static bool fill_all(work *w) {
    for (uint32_t t = 0; t < w->new_side.count; t++) {
        uint32_t s = w->old_of[t];
        if (s == NONE || section_mark(&w->old_side, s) == RELOADED) {
            w->result[t] = ask_section(&w->table->source, t);
        } else if (!fill_section(w, t)) {
            return false;
        }
    }
    return true;
}

bool sim_table_update(sim_table *table, const sim_update *update, sim_switch *inside, void *context,
                      sim_breach *breach) {
    *breach = (sim_breach){0, ""};
    if (table->updating) return sim_broken(breach, 14, "an update within an update", 0, 0);
    work w = {.table = table, .update = update, .breach = breach};
    table->updating = true;
    bool legal = check_before(&w) && check_reloads(&w);
    if (legal) {
        if (inside != NULL) inside(context);
        legal = breach->rule == 0 && place_sections(&w) && place_rows(&w) && check_sections_of_rows(&w);
    }
    if (legal) {
        w.result = must(calloc(w.new_side.count + 1, sizeof *w.result));
        legal = fill_all(&w) && moves_are_moves(&w, &update->moves, false)
                && moves_are_moves(&w, &update->section_moves, true) && keys_are_unique(&w);
        sim_section *unused = legal ? table->sections : w.result;
        uint32_t unused_count = legal ? table->count : w.new_side.count;
        if (legal) {
            table->sections = w.result;
            table->count = w.new_side.count;
        }
        sections_free(unused, unused_count);
    }
    side_free(&w.old_side);
    side_free(&w.new_side);
    free(w.old_of);
    free(w.moved_from);
    table->updating = false;
    return legal;
}
