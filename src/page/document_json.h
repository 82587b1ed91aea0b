// Documents as JSON, for the page: each text as a text, each number with what
// it is shown as.
#ifndef POPRT_PAGE_DOCUMENT_JSON_H_
#define POPRT_PAGE_DOCUMENT_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "compare/figure.h"
#include "document/document.h"

namespace poprt {

// Texts are printable, as on a terminal: no character in them hides or moves
// others.  Members that are empty are left out.
nlohmann::ordered_json json_of(const Table& table);
nlohmann::ordered_json json_of(const FactList& list);
nlohmann::ordered_json json_of(const Document& document);
nlohmann::ordered_json json_of(const Place& place);

// The text of JSON whose names need not be UTF-8.
std::string text_of(const nlohmann::ordered_json& json);

}  // namespace poprt

#endif  // POPRT_PAGE_DOCUMENT_JSON_H_
