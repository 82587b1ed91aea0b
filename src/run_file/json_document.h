// Reads JSON from any source, without exceptions.  The syntax is checked before
// a tree is made, and every access says what it expects.  A value that is
// missing or of another type gives one complaint with its path
// ("regions[2].accumulators.mpi_sum_ns is not an integer").
#ifndef POPRT_RUN_FILE_JSON_DOCUMENT_H_
#define POPRT_RUN_FILE_JSON_DOCUMENT_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/format.h"
#include "model/plausible.h"

namespace poprt {

using Json = nlohmann::ordered_json;

// The tree. nullopt if there is an error; then `complaint` is "LINE:COLUMN:
// what is wrong".
std::optional<Json> parse_json(std::string_view text, std::string* complaint);

// A value in a document.  After the first complaint all further values are
// empty, so that a reader need only look at the complaint at its end.
class Cursor {
 public:
  // Neither is copied; both must outlive the cursor.
  Cursor(const Json& value, std::string* complaint);

  bool has(const char* key) const;
  bool is_null() const;
  Cursor operator[](const char* key) const;

  std::string string() const;
  bool boolean() const;
  uint64_t address() const;
  // A count from `least` to kLargestInteger.
  int64_t count(int64_t least = 0) const;
  // From -kLargestInteger to kLargestInteger.
  int64_t integer() const;
  // Integer or not, in the same range.
  double number() const;

  // A list of such counts.  `null`: what nulls among them stand for.
  std::vector<int64_t> counts(const int64_t* null = nullptr) const;

  template <class Visit>
  void for_each(Visit visit) const {
    expect(value_->is_array(), "is not a list");
    if (!ok()) return;
    for (size_t i = 0; i < value_->size() && ok(); ++i) {
      visit(Cursor((*value_)[i], path_ + '[' + std::to_string(i) + ']',
                   complaint_));
    }
  }

  // Calls visit(name, value) for each member of an object, in the order of the
  // file.  The name is part of complaints about the value.
  template <class Visit>
  void for_each_member(Visit visit) const {
    expect(value_->is_object(), "is not an object");
    if (!ok()) return;
    for (const auto& member : value_->items()) {
      visit(member.key(),
            Cursor(member.value(), path_ + '.' + printable(member.key()),
                   complaint_));
      if (!ok()) return;
    }
  }

  bool ok() const { return complaint_->empty(); }
  // Complains that the value `what`, unless `condition` holds.
  void expect(bool condition, std::string_view what) const;

 private:
  Cursor(const Json& value, std::string path, std::string* complaint);

  const Json* value_;
  std::string path_;
  std::string* complaint_;
};

}  // namespace poprt

#endif  // POPRT_RUN_FILE_JSON_DOCUMENT_H_
