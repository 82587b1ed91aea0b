# How the parts of poprt are compiled and put together.

# What the user names has to be there: a file, or a folder and a header in it.
function(poprt_expect variable)
  string(JOIN / path ${${variable}} ${ARGN})
  if(NOT ${variable} OR EXISTS ${path})
    return()
  elseif(ARGN)
    message(FATAL_ERROR "${variable} is ${${variable}}, where no ${ARGN} is")
  endif()
  message(FATAL_ERROR "${variable} is ${path}, which does not exist")
endfunction()

if(POPRT_SANITIZE)
  set(POPRT_SANITIZER_LINK_OPTIONS -fsanitize=${POPRT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND POPRT_SANITIZE MATCHES address)
    # Clang's own way puts the run-time library into each program, and leaves a
    # preloaded library with undefined symbols.
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
      OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(folder ${runtime} DIRECTORY)
    list(APPEND POPRT_SANITIZER_LINK_OPTIONS -shared-libasan LINKER:-rpath,${folder})
    # GNU's linker takes a quarter of this build's time.
    find_program(POPRT_LLD NAMES ld.lld-19 DOC "A faster linker for clang")
    if(POPRT_LLD)
      list(APPEND POPRT_SANITIZER_LINK_OPTIONS --ld-path=${POPRT_LLD})
    endif()
  endif()
endif()

# Beside each object its call graph with the frames of its functions, for scripts/check_stack.py.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT POPRT_SANITIZE AND NOT POPRT_INNER_BUILD)
  set(POPRT_CALL_GRAPHS ON)
endif()

# Compiler settings of all code that ends in a preloaded library.
function(poprt_settings target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}
                                               ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow ${POPRT_ERRORS})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE -Wglobal-constructors -Wexit-time-destructors)
  endif()
  if(POPRT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${POPRT_SANITIZE} -fno-omit-frame-pointer)
    # Distributions build their packages with the C++ library's assertions.
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
    if(POPRT_SANITIZE MATCHES undefined)
      # The library's classes have no type information to compare.
      target_compile_options(${target} PRIVATE -fno-sanitize=vptr)
    endif()
    if(POPRT_SANITIZE STREQUAL thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # The sanitizer does not know fences. What is read around ours is atomic.
      target_compile_options(${target} PRIVATE -Wno-tsan)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND POPRT_SANITIZE MATCHES address)
      # Frames on the heap have no order, and Mutex tells by the order whether its
      # holder's frame is gone.
      target_compile_options(${target} PRIVATE -fsanitize-address-use-after-return=never)
    endif()
    target_link_options(${target} PUBLIC ${POPRT_SANITIZER_LINK_OPTIONS})
  endif()
endfunction()

function(poprt_objects name)
  add_library(${name} OBJECT ${ARGN})
  poprt_settings(${name})
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti -ftls-model=initial-exec
    -ffunction-sections -fdata-sections
    # Clocks are stored one by one and read soon after: a wide load would wait for the stores.
    -fno-tree-vectorize)
  if(POPRT_CALL_GRAPHS)
    target_compile_options(${name} PRIVATE -fcallgraph-info=su)
  endif()
endfunction()

# The sources of a folder: a new file needs no line anywhere. Without those that
# are named, by their file name alone.
function(poprt_sources variable folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  foreach(name IN LISTS ARGN)
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/${folder}/${name}.cc)
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# A folder of src/ as objects. SMALL: what runs once, at the start or the end;
# in every process's library, small is then better than fast. OFFLINE: the files
# that are in no preloaded library; they become poprt_offline_X of poprt_X.
function(poprt_room name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SMALL" "" "WITHOUT;OFFLINE")
  poprt_sources(sources ${folder} ${arg_WITHOUT} ${arg_OFFLINE})
  poprt_objects(${name} ${sources})
  if(arg_OFFLINE)
    string(REPLACE poprt_ poprt_offline_ offline ${name})
    list(TRANSFORM arg_OFFLINE REPLACE "(.+)" "${folder}/\\1.cc")
    poprt_objects(${offline} ${arg_OFFLINE})
  endif()
  if(POPRT_SANITIZE OR POPRT_INNER_BUILD)
    return() # not optimised at all
  endif()
  if(arg_SMALL)
    target_compile_options(${name} PRIVATE -Os)
    return()
  endif()
  # In all folders, what adds up totals runs once.
  list(FILTER sources INCLUDE REGEX "_totals[.]cc$")
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -Os)
endfunction()

# Headers are parsed for a few units, not for every file. That each file includes the headers it needs
# shows a build with CMAKE_UNITY_BUILD=OFF.
function(poprt_few_units)
  if(NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
endfunction()

# The objects of these targets, as sources of another one, and the archives that they need (POPRT_ARCHIVES).
function(poprt_add_objects name)
  foreach(objects IN LISTS ARGN)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
    target_link_libraries(${name} PRIVATE $<TARGET_PROPERTY:${objects},POPRT_ARCHIVES>)
  endforeach()
endfunction()

# A preloaded library is the core plus the layers it is given; which layers
# is decided here and nowhere in the code.
function(poprt_preload_library name output folder)
  add_library(${name} SHARED)
  poprt_add_objects(${name} ${ARGN} ${POPRT_CORE})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output} LIBRARY_OUTPUT_DIRECTORY ${folder}
    LINKER_LANGUAGE CXX LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/exports.map)
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc
    LINKER:-z,defs LINKER:--as-needed LINKER:--gc-sections
    LINKER:--version-script=${PROJECT_SOURCE_DIR}/src/exports.map)
  if(POPRT_SANITIZE)
    target_link_options(${name} PRIVATE ${POPRT_SANITIZER_LINK_OPTIONS})
  else()
    target_link_options(${name} PRIVATE LINKER:--wrap=dlsym)
    poprt_add_objects(${name} poprt_runtimes)
  endif()
endfunction()

# The OpenMP layer. What only a preloaded library has is not in it.
function(poprt_ompt_layer name)
  poprt_sources(sources ompt at_unload at_unload_without_mpi at_load at_load_without_mpi)
  poprt_objects(${name} ${sources})
  poprt_few_units(${name})
  target_include_directories(${name} SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/omp-tools)
endfunction()

# The MPI layer for one MPI: wrappers generated from the table, compiled
# against that MPI's mpi.h.
function(poprt_mpi_layer name mpi)
  set(table ${PROJECT_SOURCE_DIR}/wrappers/calls/mpi_calls.txt)
  set(local ${PROJECT_SOURCE_DIR}/wrappers/calls/local_calls.txt)
  set(generator ${PROJECT_SOURCE_DIR}/scripts/gen_mpi_wrappers.py)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  if(NOT TARGET poprt_mpi_generated)
    set(files mpi_wrappers.cc mpi_sites.cc mpi_functions.inc mpi_prototypes.h local_calls.inc)
    list(TRANSFORM files PREPEND ${generated}/)
    add_custom_command(
      OUTPUT ${files}
      COMMAND ${Python3_EXECUTABLE} ${generator} ${table} ${local} ${generated}
      DEPENDS ${table} ${local} ${generator})
    add_custom_target(poprt_mpi_generated DEPENDS ${files})
  endif()
  set(sources)
  foreach(room IN ITEMS wrappers wrappers/calls wrappers/edges wrappers/node wrappers/requests)
    poprt_sources(more ${room} looked_up)
    list(APPEND sources ${more})
  endforeach()
  # The entries, into which as much is to be inlined as can be; and what scripts/check_throws.py says of some files
  # is true of no others.
  set(alone ${sources})
  list(FILTER alone INCLUDE REGEX "/(pmpi|spawn|unwrapped|comms)[.]cc$")
  set_source_files_properties(${alone} ${generated}/mpi_wrappers.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  poprt_objects(${name} ${sources} ${generated}/mpi_wrappers.cc ${generated}/mpi_sites.cc)
  poprt_few_units(${name})
  add_dependencies(${name} poprt_mpi_generated)
  target_include_directories(${name} PRIVATE ${generated})
  target_include_directories(${name} SYSTEM PRIVATE ${POPRT_${mpi}_INCLUDES})
  # Open MPI's C++ bindings would leak symbols into the library.
  target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endfunction()
