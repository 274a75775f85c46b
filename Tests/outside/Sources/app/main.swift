import CTreeCore
import Screens
import TreeKit

precondition(ctree_abi_version() == UInt32(CTREE_ABI_VERSION))
let shown = try await Screen().run()
precondition(
  shown == [
    "by delegate", "at once", "by source", "late", "reload", "1 inserted", "1 changed", "1 inserted, 1 changed",
  ], "shown: \(shown)")
print("The outside package runs with CTreeCore", String(cString: ctree_version_string()))
