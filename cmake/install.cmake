# Install rules: the driver, what it needs beside it, the command, the manual, and the small files by
# which others find them: maniple.icd (ICD loaders), maniple.pc (pkg-config), the package for CMake.

# ICD loaders look into /etc/OpenCL/vendors, wherever the driver itself lies.  A private prefix
# (somebody's home) must not need root, so there the file stays inside it.
if(CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?/?$")
  set(icd_dir /etc/OpenCL/vendors)
else()
  set(icd_dir ${CMAKE_INSTALL_FULL_SYSCONFDIR}/OpenCL/vendors)
endif()
set(MANIPLE_ICD_DIR "" CACHE PATH "folder for the installed maniple.icd; default depends on prefix")
if(MANIPLE_ICD_DIR)
  set(icd_dir ${MANIPLE_ICD_DIR})
endif()

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/install/maniple.icd @ONLY
  CONTENT "@CMAKE_INSTALL_FULL_LIBDIR@/libmaniple.so.1\n")
file(RELATIVE_PATH pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX}) # so that the tree can be moved
if(TARGET maniple_attributes)
  set(pc_attributes " -fplugin=\${libdir}/maniple/attributes.so")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/tables/kernel_options.def)
file(STRINGS src/tables/kernel_options.def kernel_options REGEX "^MPL_KERNEL_OPTION\\(")
list(TRANSFORM kernel_options REPLACE "^MPL_KERNEL_OPTION\\(\"(.*)\"\\)" "\\1")
list(JOIN kernel_options " " kernel_options)
configure_file(cmake/maniple.pc.in install/maniple.pc @ONLY)

install(TARGETS maniple maniple_accesses DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${MANIPLE_DATA_DIR}/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/maniple
  FILES_MATCHING PATTERN passes.so PATTERN attributes.so PATTERN builtins.archive PATTERN opencl.h
  PATTERN "opencl_cpp/opencl_*" PATTERN "opencl_cpp/maniple/*.h")
if(TARGET maniple_spirv)
  install(TARGETS maniple_spirv RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/maniple)
endif()
install(FILES ${PROJECT_BINARY_DIR}/install/maniple.icd DESTINATION ${icd_dir})
install(FILES ${PROJECT_BINARY_DIR}/install/maniple.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Maniple)
configure_package_config_file(cmake/ManipleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/ManipleConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/ManipleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/ManipleConfig.cmake
  ${PROJECT_BINARY_DIR}/install/ManipleConfigVersion.cmake DESTINATION ${package_dir})

if(TARGET maniple_cli)
  set_target_properties(maniple_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS maniple_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_BINARY_DIR}/docs/maniple.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/docs/maniple.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME maniple)
endif()
