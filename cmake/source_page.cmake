# Part of cpack: puts the template of the page into a source package, so that
# building it takes no Node.js.
if(EXISTS ${CPACK_TEMPORARY_DIRECTORY}/CMakeLists.txt AND EXISTS ${CPACK_POPRT_TEMPLATE})
  file(COPY_FILE ${CPACK_POPRT_TEMPLATE} ${CPACK_TEMPORARY_DIRECTORY}/web/page.html)
endif()
