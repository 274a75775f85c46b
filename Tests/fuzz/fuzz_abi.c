/* The public interface under raw calls: each byte or two of the input chooses a call or an argument. `make fuzz`
   builds and runs it. */
#include "support/raw_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    raw_calls_run(random_from_bytes(data, size), 3000);
    return 0;
}
