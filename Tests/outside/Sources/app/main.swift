import CTreeCore
import TreeKit

precondition(ctree_abi_version() == UInt32(CTREE_ABI_VERSION))
print("The outside package runs with CTreeCore", String(cString: ctree_version_string()))
