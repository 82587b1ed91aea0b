// Changes one value of a JSON text, or lets the fuzzer change bytes: few of
// these leave a file that is read to its end.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

using Json = nlohmann::ordered_json;

void collect(Json& json, std::vector<Json*>* values) {
  values->push_back(&json);
  if (!json.is_structured()) return;
  for (Json& each : json) collect(each, values);
}

// Another value for `place`; `other` is some value of the same file.
void change(Json& place, const Json& other, std::mt19937& random) {
  const Json copy = other;
  switch (random() % 8) {
    case 0:
      place = copy;
      return;
    case 1:
      if (place.is_structured() && !place.empty()) {
        place.erase(std::next(place.begin(), random() % place.size()));
      }
      return;
    case 2:
      if (place.is_array()) place.push_back(copy);
      return;
    case 3:
      if (place.is_number()) place = -1;
      return;
    case 4:
      if (place.is_number()) place = int64_t{1} << (random() % 63);
      return;
    case 5:
      if (place.is_number()) place = random() % 1000;
      return;
    case 6:
      if (place.is_number_integer()) {
        place = static_cast<int64_t>(place.get<uint64_t>() +
                                     (random() % 2 == 0 ? 1 : -1));
      }
      return;
    default:
      if (place.is_string()) place = "\x1b[2J\n\xc2\x9b<b>";
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t most, unsigned seed) {
  std::mt19937 random(seed);
  Json json = random() % 4 == 0
                  ? Json(Json::value_t::discarded)
                  : Json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  for (unsigned count = 1 + random() % 3; count > 0; --count) {
    std::vector<Json*> values;
    collect(json, &values);
    change(*values[random() % values.size()], *values[random() % values.size()],
           random);
  }
  const std::string text =
      json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
