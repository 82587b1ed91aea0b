#include "model/noted.h"

namespace poprt {

std::string filled(std::string_view words,
                   std::initializer_list<NoteValue> values) {
  // Where a note is of missing memory, a text that grows may be too much.
  constexpr size_t kLongestNumber = 20;
  size_t length = words.size();
  for (const NoteValue& value : values) {
    length += value.is_number ? kLongestNumber : value.text.size();
  }
  std::string text;
  text.reserve(length);
  for (const NoteValue& value : values) {
    const size_t place = words.find("{}");
    text += words.substr(0, place);
    if (value.is_number) {
      text += std::to_string(value.number);
    } else {
      text += value.text;
    }
    words.remove_prefix(place + 2);
  }
  text += words;
  return text;
}

bool is_filled(std::string_view words, std::string_view text) {
  size_t place = words.find("{}");
  if (place == words.npos) return text == words;
  if (!text.starts_with(words.substr(0, place))) return false;
  text.remove_prefix(place);
  words.remove_prefix(place + 2);
  while ((place = words.find("{}")) != words.npos) {
    const size_t found = text.find(words.substr(0, place));
    if (found == text.npos) return false;
    text.remove_prefix(found + place);
    words.remove_prefix(place + 2);
  }
  return text.ends_with(words);
}

}  // namespace poprt
