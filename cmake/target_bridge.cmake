# What LLVM's library of devices finds by the name libomp.so (ompt/target_bridge.cc): an empty library
# of that name that needs libomp.so.5. For the linker there is another empty one of that name, which
# is not installed, so that no OpenMP runtime has to be there.
if(POPRT_SANITIZE)
  return() # as the preload libraries of MPI
endif()
set(empty ${PROJECT_BINARY_DIR}/generated/empty.c)
file(CONFIGURE OUTPUT ${empty} CONTENT "")
add_library(poprt_named_libomp SHARED ${empty})
set_target_properties(poprt_named_libomp PROPERTIES PREFIX "" OUTPUT_NAME libomp SUFFIX .so.5
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/generated/libomp)
add_library(poprt_target_bridge SHARED ${empty})
set_target_properties(poprt_target_bridge PROPERTIES PREFIX "" OUTPUT_NAME poprt-libomp NO_SONAME ON
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib SKIP_BUILD_RPATH ON)
target_link_options(poprt_target_bridge PRIVATE -nostdlib LINKER:-soname,libomp.so LINKER:--no-as-needed)
target_link_libraries(poprt_target_bridge PRIVATE poprt_named_libomp)
