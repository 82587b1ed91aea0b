# {fmt}, as an archive of our own: the reports are written in the user's program, which
# must not get a library of ours beside its own, nor {fmt}'s names.
# FMT_STATIC_THOUSANDS_SEPARATOR: else {fmt} uses std::locale, and with it come 300 KiB of the
# C++ library.
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(poprt_fmt STATIC cmake/fmt_functions.cc)
  target_compile_options(poprt_fmt PRIVATE -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -Os
    $<$<BOOL:${POPRT_CALL_GRAPHS}>:-fcallgraph-info=su>)
  target_include_directories(poprt_fmt SYSTEM INTERFACE
    $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(poprt_fmt PUBLIC FMT_STATIC_THOUSANDS_SEPARATOR=0x27)
else()
  # Which templates are instantiated elsewhere differs from version to version.
  add_library(poprt_fmt INTERFACE)
  target_link_libraries(poprt_fmt INTERFACE fmt::fmt-header-only)
  target_compile_definitions(poprt_fmt INTERFACE FMT_STATIC_THOUSANDS_SEPARATOR=0x27)
endif()
