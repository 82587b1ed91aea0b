# Programs that are run under the library rather than with it: the examples and
# those of the end-to-end tests. OpenMP comes from LLVM, whose runtime tells
# tools what it does, so that clang compiles whatever needs it.
include_guard()

find_program(POPRT_CLANG NAMES clang-19 clang DOC "C compiler of the OpenMP programs")
find_program(POPRT_CLANGXX NAMES clang++-19 clang++ DOC "C++ compiler of the OpenMP programs")
if(POPRT_CLANG)
  execute_process(COMMAND ${POPRT_CLANG} -print-file-name=libomp.so
    OUTPUT_VARIABLE libomp OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS ${libomp})
    get_filename_component(libomp ${libomp} REALPATH)
    get_filename_component(libomp_folder ${libomp} DIRECTORY)
    set(POPRT_OPENMP_FLAGS -fopenmp -L${libomp_folder} -Wl,-rpath,${libomp_folder})
  endif()
endif()

# What a compiler needs for this MPI, without the compiler's own name and the
# flags that were meant for another one (Debian's mpicc.mpich asks for LTO).
foreach(mpi IN LISTS POPRT_MPIS)
  execute_process(COMMAND ${POPRT_${mpi}_CC} -show OUTPUT_VARIABLE line
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "(^| )(-[ILl]|--sysroot=|-Wl,-rpath-link,)[^ ]+" flags "${line}")
  list(TRANSFORM flags STRIP)
  set(folders ${flags})
  list(FILTER folders INCLUDE REGEX "^-L")
  list(TRANSFORM folders REPLACE "^-L" "-Wl,-rpath,")
  set(POPRT_${mpi}_FLAGS ${flags} ${folders} -I${PROJECT_BINARY_DIR}/generated/${mpi})
endforeach()

# mpi_program(<output> SOURCE <file>... [MPI <mpi>] [OPENMP] [OPTIONS <option>...]
#             [DEPENDS <file>...])
function(mpi_program output)
  cmake_parse_arguments(arg "OPENMP" "MPI" "SOURCE;OPTIONS;DEPENDS" ${ARGN})
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(compiler ${CMAKE_C_COMPILER})
  set(compiler_id ${CMAKE_C_COMPILER_ID})
  set(standard -std=gnu11)
  set(flags -O1 -g -Wall -Wextra ${POPRT_ERRORS} -I${PROJECT_SOURCE_DIR}/include ${arg_OPTIONS})
  if(arg_SOURCE MATCHES "\\.cc$")
    set(compiler ${CMAKE_CXX_COMPILER})
    set(compiler_id ${CMAKE_CXX_COMPILER_ID})
    set(standard -std=c++17)
    # Open MPI's C++ bindings are no part of MPI any more.
    list(APPEND flags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  endif()
  if(arg_OPENMP)
    set(compiler ${POPRT_CLANG})
    if(arg_SOURCE MATCHES "\\.cc$")
      set(compiler ${POPRT_CLANGXX})
    endif()
    list(APPEND flags ${POPRT_OPENMP_FLAGS})
  elseif(compiler_id STREQUAL GNU)
    # MPICH's mpi.h says of MPI_STATUSES_IGNORE what GCC takes for an error.
    list(APPEND flags -Wno-stringop-overflow)
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND ${compiler} ${standard} ${flags} ${arg_SOURCE} -o ${output} ${POPRT_${arg_MPI}_FLAGS} -ldl -lm
    DEPENDS ${arg_SOURCE} ${arg_DEPENDS} ${PROJECT_SOURCE_DIR}/include/poprt.h
    VERBATIM)
endfunction()

# Programs whose OpenMP is GCC's, whatever compiles all else.
find_program(POPRT_GCC NAMES gcc DOC "C compiler of the programs with GCC's OpenMP")
find_program(POPRT_GXX NAMES g++ DOC "C++ compiler of the programs with GCC's OpenMP")

# gcc_openmp_program(<output> SOURCE <file> [MPI <mpi>] [OPTIONS <option>...]
#                    [OBJECTS <file>...] [LIBRARIES <option>...] [DEPENDS <file>...])
function(gcc_openmp_program output)
  cmake_parse_arguments(arg "" "SOURCE;MPI" "OPTIONS;OBJECTS;LIBRARIES;DEPENDS" ${ARGN})
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${output}
    COMMAND ${POPRT_GCC} -std=gnu11 -O1 -g -Wall -Wextra ${POPRT_ERRORS} -fopenmp
            -I${PROJECT_SOURCE_DIR}/include ${arg_OPTIONS} ${arg_SOURCE} ${arg_OBJECTS} -o ${output}
            ${POPRT_${arg_MPI}_FLAGS} ${arg_LIBRARIES} -ldl
    DEPENDS ${arg_SOURCE} ${arg_OBJECTS} ${arg_DEPENDS} ${PROJECT_SOURCE_DIR}/include/poprt.h
    VERBATIM)
endfunction()

# Fortran programs, where there are a compiler and modules of the MPI that it
# can read: POPRT_<mpi>_FORTRAN_FLAGS is set for those.
find_program(POPRT_FORTRAN NAMES gfortran DOC "Fortran compiler of the test programs")
foreach(mpi IN LISTS POPRT_MPIS)
  find_program(POPRT_${mpi}_FC NAMES mpif90.${mpi} mpif90 DOC "Fortran compiler wrapper of ${mpi}")
  set(reason "no gfortran, or no mpif90 of ${mpi}")
  if(POPRT_FORTRAN AND POPRT_${mpi}_FC)
    execute_process(COMMAND ${POPRT_${mpi}_FC} -show OUTPUT_VARIABLE line
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX MATCHALL "(^| )(-[ILl]|--sysroot=|-Wl,-rpath-link,)[^ ]+" flags "${line}")
    list(TRANSFORM flags STRIP)
    set(folders ${flags})
    list(FILTER folders INCLUDE REGEX "^-L")
    list(TRANSFORM folders REPLACE "^-L" "-Wl,-rpath,")
    set(reason "gfortran cannot use the modules of ${mpi}")
    set(probe ${PROJECT_BINARY_DIR}/mpi_probe)
    file(WRITE ${probe}.f90 "use mpi\nuse mpi_f08, only: MPI_Status\nend\n")
    execute_process(COMMAND ${POPRT_FORTRAN} ${probe}.f90 -o ${probe} ${flags}
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    # A plain mpif90 may be the other MPI's.
    set(is_openmpi FALSE)
    if("-lmpi_mpifh" IN_LIST flags)
      set(is_openmpi TRUE)
    endif()
    if(status EQUAL 0 AND ((mpi STREQUAL openmpi AND is_openmpi) OR
                           (mpi STREQUAL mpich AND NOT is_openmpi)))
      set(POPRT_${mpi}_FORTRAN_FLAGS ${flags} ${folders})
    endif()
  endif()
  if(NOT POPRT_${mpi}_FORTRAN_FLAGS)
    message(STATUS "poprt: ${reason}: its Fortran tests are left out")
  endif()
endforeach()

# fortran_program(<output> SOURCE <file> MPI <mpi> [OPTIONS <option>...]
#                 OBJECTS <file>... MODULES <folder> [DEPENDS <file>...])
function(fortran_program output)
  cmake_parse_arguments(arg "" "SOURCE;MPI;MODULES" "OPTIONS;OBJECTS;DEPENDS" ${ARGN})
  # The program's own modules; programs are compiled at the same time.
  file(MAKE_DIRECTORY ${output}.modules)
  add_custom_command(OUTPUT ${output}
    COMMAND ${POPRT_FORTRAN} -O1 -g -I${arg_MODULES} -J${output}.modules ${arg_OPTIONS}
            ${arg_SOURCE} ${arg_OBJECTS} -o ${output} ${POPRT_${arg_MPI}_FORTRAN_FLAGS}
    DEPENDS ${arg_SOURCE} ${arg_OBJECTS} ${arg_DEPENDS}
    VERBATIM)
endfunction()
