/* A program outside of the clone: it knows nothing but the installed headers and library. */
#include <stdio.h>

#include <ctree/ctree.h>

int main(void) {
    if (ctree_abi_version() != CTREE_ABI_VERSION) return 1;
    printf("CTreeCore %s from C\n", ctree_version_string());
    return 0;
}
