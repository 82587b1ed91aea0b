# utf8proc, as a static library: the reports are written in the user's program,
# which must not get a library of ours beside its own.
find_path(POPRT_UTF8PROC_DIR utf8proc.h DOC "Folder of utf8proc.h")
find_library(POPRT_UTF8PROC libutf8proc.a DOC "utf8proc, the static library")
if(NOT POPRT_UTF8PROC_DIR OR NOT POPRT_UTF8PROC)
  message(FATAL_ERROR
    "poprt needs utf8proc with its static library (Debian: libutf8proc-dev). Elsewhere: "
    "-DPOPRT_UTF8PROC_DIR=<folder of utf8proc.h> -DPOPRT_UTF8PROC=<path of libutf8proc.a>")
endif()
add_library(poprt_utf8proc STATIC IMPORTED)
set_target_properties(poprt_utf8proc PROPERTIES
  IMPORTED_LOCATION ${POPRT_UTF8PROC}
  INTERFACE_INCLUDE_DIRECTORIES ${POPRT_UTF8PROC_DIR}
  INTERFACE_COMPILE_DEFINITIONS UTF8PROC_STATIC)
