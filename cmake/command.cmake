# The program `poprt`: reads run files with the code that wrote them.

# What it says of metrics is what these pages say.
set(POPRT_METRICS_MD)
foreach(page IN ITEMS metrics counters io)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/${page}.md)
  file(READ ${PROJECT_SOURCE_DIR}/docs/${page}.md text)
  string(APPEND POPRT_METRICS_MD "${text}\n")
endforeach()
configure_file(src/command/metrics_md.cc.in ${PROJECT_BINARY_DIR}/generated/metrics_md.cc @ONLY)

# The table of processors, which is also installed, for users to extend.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/share/counters.json)
file(READ ${PROJECT_SOURCE_DIR}/share/counters.json POPRT_COUNTERS_JSON)
configure_file(src/command/counters_json.cc.in ${PROJECT_BINARY_DIR}/generated/counters_json.cc @ONLY)

poprt_objects(poprt_metric_docs src/command/metric_docs.cc src/command/suggestion.cc
  ${PROJECT_BINARY_DIR}/generated/metrics_md.cc)
poprt_objects(poprt_thresholds src/command/thresholds.cc)

# How a program is started: what a binary needs, what is preloaded.
poprt_sources(launch src/launch)
foreach(part IN ITEMS loader launcher process)
  poprt_sources(sources src/launch/${part})
  list(APPEND launch ${sources})
endforeach()
poprt_objects(poprt_launch ${launch})
target_link_libraries(poprt_launch PRIVATE poprt_fmt)

# What the doctor asks of CUDA's libraries.
poprt_objects(poprt_cuda_probe devices/cuda/probe.cc)
poprt_sources(command src/command metric_docs suggestion thresholds)
poprt_sources(manual src/manual)
add_library(poprt_command OBJECT ${command} ${manual} ${PROJECT_BINARY_DIR}/generated/counters_json.cc)
poprt_settings(poprt_command)
# CLI11 throws. What comes from fmt must be as in the objects without
# exceptions: one program must not have both kinds of an inline function.
include(GNUInstallDirs)
# The libraries are found from where the program is: the whole can be moved.
file(RELATIVE_PATH POPRT_LIBDIR_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH POPRT_DOCDIR_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DOCDIR})
file(RELATIVE_PATH POPRT_INCLUDEDIR_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
target_compile_definitions(poprt_command PRIVATE FMT_EXCEPTIONS=0
  POPRT_VERSION="${PROJECT_VERSION}" POPRT_LIBDIR_FROM_BIN="${POPRT_LIBDIR_FROM_BIN}"
  POPRT_DOCDIR_FROM_BIN="${POPRT_DOCDIR_FROM_BIN}" POPRT_INCLUDEDIR_FROM_BIN="${POPRT_INCLUDEDIR_FROM_BIN}")
target_link_libraries(poprt_command PRIVATE CLI11::CLI11 poprt_fmt)

# All but what is made by Node.js.
function(poprt_command_program name)
  add_executable(${name})
  poprt_add_objects(${name} poprt_command poprt_cuda_probe poprt_cupti poprt_page poprt_launch poprt_thresholds poprt_metric_docs poprt_exchange
    poprt_counter_table poprt_compare ${POPRT_OFFLINE_VALUES} poprt_base)
  poprt_settings(${name})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ZLIB::ZLIB ${CMAKE_DL_LIBS})
endfunction()
poprt_command_program(poprt_program)
poprt_add_objects(poprt_program poprt_page_template)
# The run path is where poprt-figures.so is, and where libraries were found.
set_target_properties(poprt_program PROPERTIES OUTPUT_NAME poprt
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
  # One path for both: to a path that it will replace CMake adds a colon, behind
  # which the loader looks in the working directory.
  BUILD_WITH_INSTALL_RPATH TRUE INSTALL_RPATH_USE_LINK_PATH TRUE
  INSTALL_RPATH "$ORIGIN/../lib;$ORIGIN/${POPRT_LIBDIR_FROM_BIN}/poprt")
if(POPRT_STATIC)
  # It must start where the C library is older than this one.
  set_target_properties(poprt_program PROPERTIES SKIP_BUILD_RPATH TRUE INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH FALSE)
  # What the preloaded libraries ask of the loader is not in it.
  target_link_options(poprt_program PRIVATE -static LINKER:--gc-sections)
endif()
if(TARGET poprt_figures)
  add_dependencies(poprt_program poprt_figures)
endif()
poprt_few_units(poprt_command poprt_launch)
# What takes no time when it runs need not take it when it is compiled.
if(NOT POPRT_INNER_BUILD)
  target_compile_options(poprt_command PRIVATE -O1)
endif()

# Completions and man pages say what --help says: the program writes them.
if(NOT POPRT_INNER_BUILD AND NOT POPRT_SANITIZE)
  set(generated ${PROJECT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${generated}/man ${generated}/completion)
  add_custom_command(OUTPUT ${generated}/stamp
    COMMAND poprt_program man ${generated}/man
    COMMAND poprt_program completion bash > ${generated}/completion/poprt
    COMMAND poprt_program completion zsh > ${generated}/completion/_poprt
    COMMAND poprt_program completion fish > ${generated}/completion/poprt.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${generated}/stamp
    DEPENDS poprt_program)
  add_custom_target(poprt_share ALL DEPENDS ${generated}/stamp)
endif()
