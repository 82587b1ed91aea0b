// Text in XML and HTML.
#ifndef POPRT_DOCUMENT_XML_TEXT_H_
#define POPRT_DOCUMENT_XML_TEXT_H_

#include <string>
#include <string_view>

namespace poprt {

// The text as it stands between tags, or in a quoted attribute.  What XML has
// no character for becomes '?'.  REQUIRES: UTF-8; of control characters, only
// ends of lines.
std::string xml_text(std::string_view text);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_XML_TEXT_H_
