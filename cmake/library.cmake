# The library, static and shared, from every C file of Sources/CTreeCore: the same ones that SwiftPM finds.
file(GLOB_RECURSE CTREE_SOURCES CONFIGURE_DEPENDS "${CTREE_ROOT}/Sources/CTreeCore/*.c")
list(SORT CTREE_SOURCES)

# For scripts/check-lists, which compares it with SwiftPM's list.
set(CTREE_SOURCE_LIST "")
foreach(SOURCE IN LISTS CTREE_SOURCES)
  file(RELATIVE_PATH SOURCE "${CTREE_ROOT}/Sources/CTreeCore" "${SOURCE}")
  string(APPEND CTREE_SOURCE_LIST "${SOURCE}\n")
endforeach()
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/ctreecore-sources.txt" "${CTREE_SOURCE_LIST}")

# The tests can also be run against the library in one file: scripts/test-amalgamation.
set(CTREE_AMALGAMATION "" CACHE FILEPATH "ctreecore.c, to be built in place of the sources")
if(CTREE_AMALGAMATION)
  set(CTREE_SOURCES "${CTREE_AMALGAMATION}")
endif()

# Only the implementation includes xxhash.h, and nothing of it is linked. Where it is missing on Linux the build stops,
# because a slower hash than meant should never slip in unseen.
find_path(CTREE_XXHASH_INCLUDE_DIR xxhash.h)
if(NOT CTREE_XXHASH_INCLUDE_DIR AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CTREE_FORCE_HASH_FALLBACK)
  message(FATAL_ERROR "xxhash.h was not found: install libxxhash-dev (Debian, Ubuntu), xxhash-devel (Fedora) or xxhash "
                      "(Arch), or set CTREE_FORCE_HASH_FALLBACK=ON")
endif()

# Nobody replaces one of our functions at load time, so the compiler may inline public ones within a file.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fno-semantic-interposition CTREE_HAS_NO_SEMANTIC_INTERPOSITION)

function(ctree_library TARGET KIND)
  add_library(${TARGET} ${KIND} ${CTREE_SOURCES})
  target_include_directories(${TARGET}
    PUBLIC "$<BUILD_INTERFACE:${CTREE_ROOT}/Sources/CTreeCore/include>"
           "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
    PRIVATE "${CTREE_ROOT}/Sources/CTreeCore")
  if(CTREE_XXHASH_INCLUDE_DIR)
    target_include_directories(${TARGET} SYSTEM PRIVATE "${CTREE_XXHASH_INCLUDE_DIR}")
  endif()
  if(CTREE_FORCE_HASH_FALLBACK)
    target_compile_definitions(${TARGET} PRIVATE CT_HASH_FALLBACK)
  endif()
  if(CTREE_HAS_NO_SEMANTIC_INTERPOSITION)
    target_compile_options(${TARGET} PRIVATE -fno-semantic-interposition)
  endif()
  ctree_warnings(${TARGET})
endfunction()

ctree_library(ctreecore_static STATIC)
add_library(CTreeCore::static ALIAS ctreecore_static)
set_target_properties(ctreecore_static PROPERTIES EXPORT_NAME static)
if(WIN32)
  # Beside the import library of the shared one, which would have the same name.
  set_target_properties(ctreecore_static PROPERTIES OUTPUT_NAME ctreecore-static)
else()
  set_target_properties(ctreecore_static PROPERTIES OUTPUT_NAME ctreecore)
endif()

if(CTREE_BUILD_SHARED)
  ctree_library(ctreecore_shared SHARED)
  add_library(CTreeCore::shared ALIAS ctreecore_shared)
  target_compile_definitions(ctreecore_shared PRIVATE CTREE_SHARED_BUILD)
  set_target_properties(ctreecore_shared PROPERTIES
    OUTPUT_NAME ctreecore EXPORT_NAME shared
    VERSION ${PROJECT_VERSION} SOVERSION ${CTREE_ABI_VERSION})
  add_library(CTreeCore::CTreeCore ALIAS ctreecore_shared)

  include(CheckLinkerFlag)
  set(CTREE_VERSION_SCRIPT "${CMAKE_CURRENT_BINARY_DIR}/ctreecore.map")
  configure_file("${CTREE_ROOT}/cmake/ctreecore.map.in" "${CTREE_VERSION_SCRIPT}" @ONLY)
  check_linker_flag(C "-Wl,--version-script=${CTREE_VERSION_SCRIPT}" CTREE_HAS_VERSION_SCRIPT)
  if(CTREE_HAS_VERSION_SCRIPT)
    target_link_options(ctreecore_shared PRIVATE "-Wl,--version-script=${CTREE_VERSION_SCRIPT}")
    set_property(TARGET ctreecore_shared APPEND PROPERTY LINK_DEPENDS "${CTREE_VERSION_SCRIPT}")
  endif()
  # A sanitizer's run-time is in the program, not in the library: nothing could be resolved then.
  if(CTREE_HAS_VERSION_SCRIPT AND NOT CTREE_SANITIZE)
    target_link_options(ctreecore_shared PRIVATE -Wl,-z,defs)
  endif()
else()
  add_library(CTreeCore::CTreeCore ALIAS ctreecore_static)
endif()
