import CTreeCore
import Testing

/// The package links the C core that its headers describe.
@Test func coreIsTheOneOfTheHeaders() {
  #expect(ctree_abi_version() == UInt32(CTREE_ABI_VERSION))
  #expect(String(cString: ctree_version_string()) == CTREE_VERSION_STRING)
}
