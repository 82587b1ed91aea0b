# The page that poprt report -o x.html writes, and the figures of poprt plot. Both
# are made from web/ by Node.js, and become part of the command as bytes.
set(POPRT_HTML AUTO CACHE STRING
  "The HTML report: ON, OFF, or AUTO, which is ON where Node.js and npm are found and npm finds its packages")
set_property(CACHE POPRT_HTML PROPERTY STRINGS AUTO ON OFF)

set(web ${PROJECT_SOURCE_DIR}/web)
set(POPRT_WEB ${PROJECT_BINARY_DIR}/web) # where it is made and tested
set(template "")
set(paper "") # what draws figures
if(POPRT_HTML STREQUAL OFF OR POPRT_INNER_BUILD OR POPRT_SANITIZE)
  # No template.
elseif(EXISTS ${web}/page.html)
  set(template ${web}/page.html) # a release has both
  set(paper ${web}/paper.js)
else()
  find_program(POPRT_NODE NAMES node nodejs DOC "Node.js, which makes the HTML report")
  find_program(POPRT_NPM npm DOC "Node.js' package manager")
  poprt_expect(POPRT_NODE)
  poprt_expect(POPRT_NPM)
  set(problem "")
  if(NOT POPRT_NODE OR NOT POPRT_NPM)
    set(problem "it is made by Node.js and npm, which are not here")
  else()
    # The packages of the lock file, once.
    file(MAKE_DIRECTORY ${POPRT_WEB})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${web}/package-lock.json)
    file(SHA256 ${web}/package-lock.json wanted)
    set(installed "")
    if(EXISTS ${POPRT_WEB}/installed)
      file(READ ${POPRT_WEB}/installed installed)
    endif()
    if(NOT installed STREQUAL wanted)
      configure_file(${web}/package.json ${POPRT_WEB}/package.json COPYONLY)
      configure_file(${web}/package-lock.json ${POPRT_WEB}/package-lock.json COPYONLY)
      # Without a network it must not take long to say so.
      execute_process(COMMAND ${POPRT_NPM} ci --no-audit --no-fund --loglevel=error --fetch-retries=1 TIMEOUT 600
        WORKING_DIRECTORY ${POPRT_WEB} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
      if(failed)
        string(REGEX MATCHALL "[^\n]+" said "${said}")
        list(JOIN said "; " said)
        string(SUBSTRING "${said}" 0 200 said)
        set(problem "npm ci in ${POPRT_WEB} failed: ${said}")
      else()
        file(WRITE ${POPRT_WEB}/installed ${wanted})
      endif()
    endif()
  endif()
  if(NOT problem)
    set(template ${POPRT_WEB}/dist/page.html)
    set(paper ${POPRT_WEB}/dist/paper.js)
  elseif(POPRT_HTML STREQUAL AUTO)
    message(STATUS "No page for a browser: ${problem}")
  else()
    message(FATAL_ERROR "POPRT_HTML is ${POPRT_HTML}, but ${problem}")
  endif()
endif()

if(template)
  set(POPRT_HAS_PAGE ON)
else()
  set(POPRT_HAS_PAGE OFF)
endif()
# Duktape runs what draws figures. The command opens this module when it draws.
find_library(POPRT_DUKTAPE NAMES duktape DOC "Duktape, a JavaScript engine; without it there are no figures")
find_path(POPRT_DUKTAPE_DIR duktape.h DOC "Folder of Duktape's duktape.h")
poprt_expect(POPRT_DUKTAPE)
poprt_expect(POPRT_DUKTAPE_DIR duktape.h)
if(POPRT_STATIC)
  # No figures: the command cannot open the module.
elseif(template AND POPRT_DUKTAPE AND POPRT_DUKTAPE_DIR)
  add_library(poprt_figures MODULE src/page/engine/entry.cc)
  poprt_settings(poprt_figures)
  target_include_directories(poprt_figures SYSTEM PRIVATE ${POPRT_DUKTAPE_DIR})
  target_link_libraries(poprt_figures PRIVATE ${POPRT_DUKTAPE})
  set_target_properties(poprt_figures PROPERTIES PREFIX "" OUTPUT_NAME poprt-figures
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib INSTALL_RPATH_USE_LINK_PATH TRUE)
elseif(template AND POPRT_HTML STREQUAL ON)
  message(FATAL_ERROR "POPRT_HTML is ON, but figures need Duktape (Debian: duktape-dev), which is not here")
endif()
set(POPRT_PAGE_SOURCE ${PROJECT_BINARY_DIR}/generated/page_template.cc)
if(template STREQUAL "${POPRT_WEB}/dist/page.html")
  set(POPRT_MAKES_PAGE ON)
  # The sources are copied to where the packages are: tools look for these in
  # the folders above a source.
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${web} ${web}/src/* ${web}/test/* ${web}/*.json
    ${web}/*.mjs)
  list(FILTER sources EXCLUDE REGEX "^(node_modules|dist|out)/")
  set(copies "")
  set(tests "")
  foreach(source IN LISTS sources)
    add_custom_command(OUTPUT ${POPRT_WEB}/${source}
      COMMAND ${CMAKE_COMMAND} -E copy ${web}/${source} ${POPRT_WEB}/${source}
      DEPENDS ${web}/${source})
    if(source MATCHES "^(src/|build[.]mjs)")
      list(APPEND copies ${POPRT_WEB}/${source})
    else()
      list(APPEND tests ${POPRT_WEB}/${source})
    endif()
  endforeach()
  add_custom_target(poprt_page_tests ALL DEPENDS ${copies} ${tests})
  add_custom_command(OUTPUT ${template} ${paper}
    COMMAND ${POPRT_NODE} build.mjs WORKING_DIRECTORY ${POPRT_WEB} DEPENDS ${copies})
else()
  set(POPRT_MAKES_PAGE OFF)
endif()
add_custom_command(OUTPUT ${POPRT_PAGE_SOURCE}
  COMMAND ${CMAKE_COMMAND} -D TEMPLATE=${template} -D PAPER=${paper} -D OUTPUT=${POPRT_PAGE_SOURCE}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${template} ${paper} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)

if(POPRT_STATIC)
  poprt_sources(page src/page script_engine)
else()
  poprt_sources(page src/page without_script_engine)
endif()
poprt_objects(poprt_page ${page})
poprt_objects(poprt_page_template ${POPRT_PAGE_SOURCE})
target_link_libraries(poprt_page PRIVATE ZLIB::ZLIB)
target_compile_definitions(poprt_page PRIVATE POPRT_VERSION="${PROJECT_VERSION}")
