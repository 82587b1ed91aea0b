# Finds every MPI on this machine: POPRT_MPIS is a list of openmpi and mpich,
# POPRT_<mpi>_CC, POPRT_<mpi>_RUN and POPRT_<mpi>_INCLUDES belong to each.
# Name the compiler wrappers by hand with -DPOPRT_openmpi_CC=..., and a single
# MPI with -DPOPRT_MPI=openmpi.
set(POPRT_MPI "" CACHE STRING "MPIs to build for; empty: all that are found")

set(POPRT_MPIS "")
foreach(mpi IN ITEMS openmpi mpich)
  if(POPRT_MPI AND NOT mpi IN_LIST POPRT_MPI)
    continue()
  endif()
  find_program(POPRT_${mpi}_CC NAMES mpicc.${mpi} mpicc DOC "C compiler wrapper of ${mpi}")
  find_program(POPRT_${mpi}_RUN NAMES mpirun.${mpi} mpirun DOC "Launcher of ${mpi}")
  if(NOT POPRT_${mpi}_CC)
    continue()
  endif()
  # Both wrappers know -show.
  execute_process(COMMAND ${POPRT_${mpi}_CC} -show OUTPUT_VARIABLE line
    RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "-I[^ ]+" flags "${line}")
  list(TRANSFORM flags REPLACE "^-I" "")
  # A plain mpicc may be the other MPI's.
  file(WRITE ${PROJECT_BINARY_DIR}/mpi_probe.c
    "#include <mpi.h>\n#if defined(OPEN_MPI)\nopenmpi\n#elif defined(MPICH)\nmpich\n#endif\n")
  list(TRANSFORM flags PREPEND "-I" OUTPUT_VARIABLE include_flags)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -E -P ${include_flags} ${PROJECT_BINARY_DIR}/mpi_probe.c
    OUTPUT_VARIABLE kind RESULT_VARIABLE status ERROR_QUIET)
  if(status EQUAL 0 AND kind MATCHES "\n${mpi}\n")
    set(POPRT_${mpi}_INCLUDES ${flags})
    list(APPEND POPRT_MPIS ${mpi})
  endif()
endforeach()
if(POPRT_MPIS)
  message(STATUS "poprt: MPI libraries: ${POPRT_MPIS}")
else()
  message(STATUS "poprt: no MPI found; building for OpenMP only")
endif()
