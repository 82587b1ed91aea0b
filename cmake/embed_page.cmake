# Writes OUTPUT, a source with the bytes of the files TEMPLATE and PAPER; none
# of those that are empty.
function(poprt_bytes result file)
  set(bytes "")
  if(file)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  endif()
  set(${result} "${bytes}" PARENT_SCOPE)
endfunction()
poprt_bytes(template "${TEMPLATE}")
poprt_bytes(paper "${PAPER}")
file(WRITE ${OUTPUT} "// Made from web/ by CMake.
#include \"page/drawing.h\"
#include \"page/page.h\"

namespace poprt {

std::string_view page_template() {
  static constexpr char kTemplate[] = {${template}0};
  return {kTemplate, sizeof(kTemplate) - 1};
}

std::string_view paper_script() {
  static constexpr char kScript[] = {${paper}0};
  return {kScript, sizeof(kScript) - 1};
}

}  // namespace poprt
")
