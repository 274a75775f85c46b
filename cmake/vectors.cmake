# The scenarios that every language runs (Tests/vectors), here in C.
file(GLOB CTREE_VECTOR_SOURCES CONFIGURE_DEPENDS "${CTREE_ROOT}/Tests/vectors/c/*.c")
file(GLOB CTREE_VECTOR_FILES CONFIGURE_DEPENDS "${CTREE_ROOT}/Tests/vectors/*.steps")
add_executable(vectors ${CTREE_VECTOR_SOURCES})
target_link_libraries(vectors PRIVATE ctreecore_static)
ctree_warnings(vectors)
add_test(NAME vectors COMMAND vectors ${CTREE_VECTOR_FILES})
set_tests_properties(vectors PROPERTIES LABELS vectors)

# Bound lazily to the shared library, so that scripts/check-vectors can ask the loader which functions were called.
if(CTREE_BUILD_SHARED)
  add_executable(vectors_shared EXCLUDE_FROM_ALL ${CTREE_VECTOR_SOURCES})
  target_link_libraries(vectors_shared PRIVATE ctreecore_shared -Wl,-z,lazy)
  ctree_warnings(vectors_shared)
endif()
