# Finds omp-tools.h, of any LLVM or a compiler that is made of it: POPRT_OMP_TOOLS_DIR is empty
# without one. The compilers are asked, as each has it elsewhere.
set(POPRT_OMP_TOOLS_DIR "" CACHE PATH
  "Folder of omp-tools.h; empty: that of CMAKE_PREFIX_PATH or of the first compiler that has one; OFF: none")

if(POPRT_OMP_TOOLS_DIR STREQUAL "")
  unset(header)
  # What the user names goes first.
  find_file(header omp-tools.h NO_CACHE NO_CMAKE_SYSTEM_PATH NO_SYSTEM_ENVIRONMENT_PATH)
  # Of several LLVMs, the newest.
  file(GLOB versions /usr/lib*/llvm*/bin/clang)
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  set(probe ${PROJECT_BINARY_DIR}/omp_tools_probe.c)
  file(WRITE ${probe} "#include <omp-tools.h>\n")
  foreach(compiler IN ITEMS clang-19 ${CMAKE_C_COMPILER} clang icx amdclang armclang ${versions})
    if(header)
      break()
    endif()
    # Not in the cache: which compilers are in PATH may change.
    unset(program)
    find_program(program ${compiler} NO_CACHE)
    if(program)
      execute_process(COMMAND ${program} -fopenmp -M ${probe} OUTPUT_VARIABLE includes ERROR_QUIET)
      if(includes MATCHES "([^ \n]+/omp-tools[.]h)")
        set(header ${CMAKE_MATCH_1})
      endif()
    endif()
  endforeach()
  # LLVM's header without its compiler.
  file(GLOB folders ${CMAKE_SYSROOT}/usr/lib*/clang/*/include ${CMAKE_SYSROOT}/usr/lib*/llvm*/lib*/clang/*/include)
  list(SORT folders COMPARE NATURAL ORDER DESCENDING)
  find_file(header omp-tools.h PATHS ${folders} NO_CACHE)
  if(header)
    get_filename_component(folder ${header} DIRECTORY)
    set_property(CACHE POPRT_OMP_TOOLS_DIR PROPERTY VALUE ${folder})
  endif()
endif()
poprt_expect(POPRT_OMP_TOOLS_DIR omp-tools.h)

# Only this one header: the folder also holds the compiler's own intrinsics.
if(POPRT_OMP_TOOLS_DIR)
  configure_file(${POPRT_OMP_TOOLS_DIR}/omp-tools.h ${PROJECT_BINARY_DIR}/omp-tools/omp-tools.h COPYONLY)
endif()
