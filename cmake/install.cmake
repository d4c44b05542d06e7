# Install rules: the driver, what it needs beside it, the command, the manual, and the small files by
# which others find them: maniple.icd (ICD loaders), maniple.pc (pkg-config), the package for CMake.

set(MANIPLE_ICD_DIR "" CACHE PATH "folder for the installed maniple.icd; default depends on prefix")
file(RELATIVE_PATH pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX}) # so that the tree can be moved
if(TARGET maniple_attributes)
  set(pc_attributes " -fplugin=\${libdir}/maniple/attributes.so")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/tables/kernel_options.def)
file(STRINGS src/tables/kernel_options.def kernel_options REGEX "^MPL_KERNEL_OPTION\\(")
list(TRANSFORM kernel_options REPLACE "^MPL_KERNEL_OPTION\\(\"(.*)\"\\)" "\\1")
list(JOIN kernel_options " " kernel_options)
set(icd_dir @icd_dir@) # is known when it is installed
configure_file(cmake/maniple.pc.in install/maniple.pc.in @ONLY)
configure_file(cmake/registration.cmake.in install/registration.cmake @ONLY)

install(TARGETS maniple maniple_accesses DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${MANIPLE_DATA_DIR}/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/maniple
  FILES_MATCHING PATTERN passes.so PATTERN warm.so PATTERN attributes.so PATTERN builtins.archive PATTERN opencl.h
  PATTERN "opencl_cpp/opencl_*" PATTERN "opencl_cpp/maniple/*.h")
if(TARGET maniple_spirv)
  install(TARGETS maniple_spirv RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/maniple)
endif()
install(SCRIPT ${PROJECT_BINARY_DIR}/install/registration.cmake)

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
  install(FILES ${PROJECT_BINARY_DIR}/docs/maniple.zsh
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _maniple)
endif()
