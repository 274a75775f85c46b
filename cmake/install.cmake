set(CTREE_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/CTreeCore")

install(TARGETS ctreecore_static EXPORT CTreeCoreStatic)
install(EXPORT CTreeCoreStatic NAMESPACE CTreeCore:: DESTINATION "${CTREE_PACKAGE_DIR}")
if(CTREE_BUILD_SHARED)
  install(TARGETS ctreecore_shared EXPORT CTreeCoreShared)
  install(EXPORT CTreeCoreShared NAMESPACE CTreeCore:: DESTINATION "${CTREE_PACKAGE_DIR}")
endif()
install(DIRECTORY "${CTREE_ROOT}/Sources/CTreeCore/include/ctree" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(FILES "${CTREE_ROOT}/Bindings/cpp/ctree.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${CTREE_ROOT}/LICENSE" "${CTREE_ROOT}/NOTICE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file("${CTREE_ROOT}/cmake/CTreeCoreConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/CTreeCoreConfig.cmake" INSTALL_DESTINATION "${CTREE_PACKAGE_DIR}")
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/CTreeCoreConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/CTreeCoreConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/CTreeCoreConfigVersion.cmake" DESTINATION "${CTREE_PACKAGE_DIR}")

# The prefix is found from where the file lies, so that an installed tree can be moved.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE CTREE_PC_LIBDIR)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
           OUTPUT_VARIABLE CTREE_PC_INCLUDEDIR)
file(RELATIVE_PATH CTREE_PC_PREFIX "${CTREE_PC_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH CTREE_PC_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CTREE_PC_LIBDIR}")
file(RELATIVE_PATH CTREE_PC_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CTREE_PC_INCLUDEDIR}")
configure_file("${CTREE_ROOT}/cmake/ctreecore.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/ctreecore.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/ctreecore.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
