# poprt-topology, the program that the library starts for what a host consists of.
# It is in a process of its own, so that what is preloaded needs no hwloc, and
# none of hwloc's plugins is in the user's program.
if(POPRT_SANITIZE OR POPRT_STATIC)
  return() # as the preload libraries; and hwloc needs libudev, of which there is no archive
endif()
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  # Since then it can do without single ways of looking.
  pkg_check_modules(POPRT_HWLOC QUIET IMPORTED_TARGET hwloc>=2.1)
endif()
if(NOT POPRT_HWLOC_FOUND)
  return() # what hosts consist of is then not known
endif()

poprt_sources(sources src/modules/cores/helper)
add_executable(poprt_topology ${sources})
poprt_settings(poprt_topology)
target_link_libraries(poprt_topology PRIVATE PkgConfig::POPRT_HWLOC)
# It runs in an empty environment, as poprt-locations does.
set_target_properties(poprt_topology PROPERTIES OUTPUT_NAME poprt-topology
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib INSTALL_RPATH_USE_LINK_PATH TRUE)
target_link_options(poprt_topology PRIVATE -static-libstdc++ -static-libgcc)
