#include <cstdio>

#include <ctree/ctree.h>

int main() {
    if (ctree_abi_version() != CTREE_ABI_VERSION) return 1;
    std::printf("CTreeCore %s from C++\n", ctree_version_string());
    return 0;
}
