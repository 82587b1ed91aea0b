# How others find an installed poprt: pkg-config, CMake, a modulefile, a Debian
# package.  Each finds the rest relative to itself, so that the prefix may move.
include(CMakePackageConfigHelpers)

# From the prefix to the preloadable libraries, by the names that users know
# them by.
set(libraries "")
foreach(name IN ITEMS ${POPRT_MPI_LIBRARIES} omp)
  if(TARGET poprt_${name})
    list(APPEND libraries ${name})
    set(library_${name} poprt/${name}/libpoprt.so)
  endif()
endforeach()
set(library_omp libpoprt-omp.so)

# From the prefix to folders of it, and from a folder to the prefix.
function(poprt_relative result from to)
  cmake_path(RELATIVE_PATH to BASE_DIRECTORY ${from})
  set(${result} ${to} PARENT_SCOPE)
endfunction()
foreach(folder IN ITEMS BIN INCLUDE LIB MAN)
  poprt_relative(POPRT_${folder} ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_${folder}DIR})
endforeach()

set(packages ${PROJECT_BINARY_DIR}/packages)

# --- pkg-config -----------------------------------------------------------------

set(POPRT_LINES "")
foreach(name IN LISTS libraries)
  string(APPEND POPRT_LINES "preload_${name}=\${libdir}/${library_${name}}\n")
endforeach()
poprt_relative(POPRT_WAY_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(packaging/poprt.pc.in ${packages}/poprt.pc @ONLY)
install(FILES ${packages}/poprt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# --- find_package(poprt) --------------------------------------------------------

add_library(poprt_headers INTERFACE)
set_target_properties(poprt_headers PROPERTIES EXPORT_NAME poprt)
target_link_libraries(poprt_headers INTERFACE ${CMAKE_DL_LIBS})
install(TARGETS poprt_headers EXPORT poprtTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/poprt)
install(EXPORT poprtTargets NAMESPACE poprt:: DESTINATION ${folder})

set(POPRT_LINES "")
if(TARGET poprt_program)
  set(POPRT_LINES "set_and_check(poprt_PROGRAM \"\${PACKAGE_PREFIX_DIR}/${POPRT_BIN}/poprt\")\n")
endif()
foreach(name IN LISTS libraries)
  string(APPEND POPRT_LINES "set_and_check(poprt_PRELOAD_${name} \
\"\${PACKAGE_PREFIX_DIR}/${POPRT_LIB}/${library_${name}}\")\n")
endforeach()
configure_package_config_file(packaging/poprtConfig.cmake.in ${packages}/poprtConfig.cmake
  INSTALL_DESTINATION ${folder})
write_basic_package_version_file(${packages}/poprtConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${packages}/poprtConfig.cmake ${packages}/poprtConfigVersion.cmake
  DESTINATION ${folder})

# --- modulefile -----------------------------------------------------------------

# Not POPRT_*: the library would take them for options.
set(POPRT_LINES "")
set(POPRT_VARIABLES ${libraries})
foreach(name IN LISTS libraries)
  string(TOUPPER LIBPOPRT_${name} variable)
  string(APPEND POPRT_LINES "setenv ${variable} $prefix/${POPRT_LIB}/${library_${name}}\n")
endforeach()
list(TRANSFORM POPRT_VARIABLES TOUPPER)
list(TRANSFORM POPRT_VARIABLES PREPEND LIBPOPRT_)
list(JOIN POPRT_VARIABLES ", " POPRT_VARIABLES)
set(folder ${CMAKE_INSTALL_DATADIR}/modulefiles)
poprt_relative(POPRT_MODULES ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_DATADIR}/modulefiles)
poprt_relative(POPRT_WAY_TO_PREFIX ${CMAKE_INSTALL_FULL_DATADIR}/modulefiles/poprt
  ${CMAKE_INSTALL_PREFIX})
configure_file(packaging/modulefile.in ${packages}/modulefile @ONLY)
install(FILES ${packages}/modulefile DESTINATION ${folder}/poprt RENAME ${PROJECT_VERSION})

# --- documents and Debian package -----------------------------------------------

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES examples/hybrid.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md PATTERN *.png
  PATTERN *.json)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright
  COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_VENDOR "the poprt authors")
set(CPACK_PACKAGE_CONTACT "the poprt authors <maintainers@users.noreply.a-seed-88b90c33.example>")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${PROJECT_SOURCE_DIR}/packaging/description.txt)
set(CPACK_INSTALL_CMAKE_PROJECTS
  ${PROJECT_BINARY_DIR} poprt Unspecified / ${PROJECT_BINARY_DIR} poprt debian /)
set(CPACK_GENERATOR DEB)
# Archives to unpack: poprt-<version>-linux-x86_64.tar.gz
set(CPACK_SYSTEM_NAME linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The libraries need libc only: MPI and OpenMP are the measured program's.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The bridge of ompt/target_bridge.cc needs the runtime that the program has, whatever package it is of.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/dpkg-shlibdeps @ONLY CONTENT [[#!/bin/sh
for each; do
  shift
  case "$each" in */poprt-libomp.so) ;; *) set -- "$@" "$each" ;; esac
done
exec dpkg-shlibdeps "$@"
]])
file(CHMOD ${PROJECT_BINARY_DIR}/generated/dpkg-shlibdeps PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/generated/cpack.cmake)
file(CONFIGURE OUTPUT ${CPACK_PROJECT_CONFIG_FILE} @ONLY CONTENT
  "set(SHLIBDEPS_EXECUTABLE \"@PROJECT_BINARY_DIR@/generated/dpkg-shlibdeps\" CACHE FILEPATH \"\")\n")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin | mpich")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libomp5-19, environment-modules | lmod, librsvg2-bin")
include(CPack)
