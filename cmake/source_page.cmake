# Part of cpack: puts what is made in web/ into a source package, so that
# building it takes no Node.js.
foreach(name IN ITEMS page.html paper.js)
  if(EXISTS ${CPACK_TEMPORARY_DIRECTORY}/CMakeLists.txt AND EXISTS ${CPACK_POPRT_WEB}/${name})
    file(COPY_FILE ${CPACK_POPRT_WEB}/${name} ${CPACK_TEMPORARY_DIRECTORY}/web/${name})
  endif()
endforeach()
