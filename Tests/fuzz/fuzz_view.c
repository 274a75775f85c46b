/*
 * A store with its views from raw input: each byte or two is a choice of a random program, of which memory fails in
 * some calls. Everything that the program checks of rows, batches, splices and edits holds here.
 * `make fuzz` builds and runs it.
 */
#include "support/view_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    random_source source = random_from_bytes(data, size);
    view_program_options options = {.check_every = 8, .mirrored = true};
    uint32_t way = random_below(&source, 16);
    options.kind = (ctree_id_kind)(way & 1);
    options.scope = (ctree_id_scope)(way >> 1 & 1);
    options.fails_in = (way & 4) != 0 ? 6 : 0;
    options.most = (way & 8) != 0 ? 400 : 24;
    view_program_run(source, options, 2000);
    return 0;
}
