# Finds omp-tools.h, of any LLVM or a compiler that is made of it: POPRT_OMP_TOOLS_DIR is empty
# without one. The compilers are asked, as each has it elsewhere.
set(POPRT_OMP_TOOLS_DIR "" CACHE PATH "Folder of omp-tools.h; empty: that of the first compiler that has one; OFF: none")

if(POPRT_OMP_TOOLS_DIR AND NOT EXISTS ${POPRT_OMP_TOOLS_DIR}/omp-tools.h)
  message(FATAL_ERROR "POPRT_OMP_TOOLS_DIR is ${POPRT_OMP_TOOLS_DIR}, where no omp-tools.h is")
elseif(POPRT_OMP_TOOLS_DIR STREQUAL "")
  # Of several LLVMs, the newest.
  file(GLOB versions /usr/lib/llvm-*/bin/clang /usr/lib*/llvm*/bin/clang)
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  set(probe ${PROJECT_BINARY_DIR}/omp_tools_probe.c)
  file(WRITE ${probe} "#include <omp-tools.h>\n")
  foreach(compiler IN ITEMS clang-19 ${CMAKE_C_COMPILER} clang icx amdclang armclang ${versions})
    # Not in the cache: which compilers are in PATH may change.
    find_program(POPRT_OMP_COMPILER ${compiler} NO_CACHE)
    if(POPRT_OMP_COMPILER)
      execute_process(COMMAND ${POPRT_OMP_COMPILER} -fopenmp -M ${probe} OUTPUT_VARIABLE includes ERROR_QUIET)
      if(includes MATCHES "([^ \n]+)/omp-tools[.]h")
        set_property(CACHE POPRT_OMP_TOOLS_DIR PROPERTY VALUE ${CMAKE_MATCH_1})
        break()
      endif()
    endif()
    unset(POPRT_OMP_COMPILER)
  endforeach()
  if(POPRT_OMP_TOOLS_DIR STREQUAL "")
    # LLVM's header without its compiler.
    file(GLOB headers ${CMAKE_SYSROOT}/usr/lib/llvm-*/lib/clang/*/include/omp-tools.h)
    list(SORT headers COMPARE NATURAL ORDER DESCENDING)
    if(headers)
      list(GET headers 0 header)
      get_filename_component(folder ${header} DIRECTORY)
      set_property(CACHE POPRT_OMP_TOOLS_DIR PROPERTY VALUE ${folder})
    endif()
  endif()
endif()

# Only this one header: the folder also holds the compiler's own intrinsics.
if(POPRT_OMP_TOOLS_DIR)
  configure_file(${POPRT_OMP_TOOLS_DIR}/omp-tools.h ${PROJECT_BINARY_DIR}/omp-tools/omp-tools.h COPYONLY)
endif()
