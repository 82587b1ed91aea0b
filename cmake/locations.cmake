# poprt-locations, the program that the library starts for the names of code
# addresses. It is in a process of its own, so that what is preloaded needs no
# libdw. The library looks for it beside itself and one folder above.
find_path(POPRT_LIBDW_INCLUDE elfutils/libdwfl.h DOC "Folder of elfutils/libdwfl.h")
find_library(POPRT_LIBDW dw DOC "elfutils' libdw")
poprt_expect(POPRT_LIBDW_INCLUDE elfutils/libdwfl.h)
poprt_expect(POPRT_LIBDW)
if(POPRT_SANITIZE)
  return() # as the preload libraries
endif()
if(NOT POPRT_LIBDW OR NOT POPRT_LIBDW_INCLUDE)
  return() # reports name code by function and offset, not by line
endif()
if(POPRT_STATIC)
  # What an archive needs, as far as this libdw was built with it.
  set(archives ${POPRT_LIBDW})
  foreach(library IN ITEMS elf z lzma bz2 zstd)
    find_library(POPRT_STATIC_${library} ${library} DOC "A library that libdw needs")
    poprt_expect(POPRT_STATIC_${library})
    if(POPRT_STATIC_${library})
      list(APPEND archives ${POPRT_STATIC_${library}})
    endif()
  endforeach()
  set(probe ${PROJECT_BINARY_DIR}/libdw_probe)
  file(WRITE ${probe}.cc "extern \"C\" void dwfl_report_offline();\nint main() { dwfl_report_offline(); }\n")
  unset(POPRT_LIBDW_LINKS CACHE) # more may be installed than before
  try_compile(POPRT_LIBDW_LINKS ${probe} ${probe}.cc LINK_OPTIONS -static LINK_LIBRARIES ${archives})
  if(NOT POPRT_LIBDW_LINKS)
    return()
  endif()
endif()

poprt_sources(sources src/code_places/helper static_dlopen)
add_executable(poprt_locations ${sources} src/code_places/function_name.cc)
poprt_settings(poprt_locations)
target_include_directories(poprt_locations SYSTEM PRIVATE ${POPRT_LIBDW_INCLUDE})
if(POPRT_STATIC)
  target_sources(poprt_locations PRIVATE src/code_places/helper/static_dlopen.cc)
  target_link_options(poprt_locations PRIVATE -static LINKER:--wrap=dlopen)
  target_link_libraries(poprt_locations PRIVATE ${archives})
else()
  target_link_libraries(poprt_locations PRIVATE ${POPRT_LIBDW})
endif()
# It runs in an empty environment: where libdw is in no standard folder, it has
# to know that by itself.
set_target_properties(poprt_locations PROPERTIES OUTPUT_NAME poprt-locations
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib INSTALL_RPATH_USE_LINK_PATH TRUE)
target_link_options(poprt_locations PRIVATE -static-libstdc++ -static-libgcc)
