# Writes OUTPUT, a source with the bytes of TEMPLATE; none if that is empty.
set(bytes "")
if(TEMPLATE)
  file(READ ${TEMPLATE} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
endif()
file(WRITE ${OUTPUT} "// Made from the template of the page by CMake.
#include \"page/page.h\"

namespace poprt {

std::string_view page_template() {
  static constexpr char kTemplate[] = {${bytes}0};
  return {kTemplate, sizeof(kTemplate) - 1};
}

}  // namespace poprt
")
