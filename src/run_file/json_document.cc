#include "run_file/json_document.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace poprt {
namespace {

// A run file is at most 6 levels deep.  Its objects have few keys, which are
// searched one after the other, except for the program's own (pop_metadata).
constexpr int kDeepest = 32;
constexpr size_t kMostKeys = 10'000;
// Lists and objects take much more memory than their text.  A run file with
// rows has about twenty for each region and each place in the code.
constexpr size_t kMostContainers = 1'000'000;

// Checks only the syntax.
class SyntaxCheck : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return ++keys_[depth_] <= kMostKeys; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    error_position_ = position;
    return false;
  }

  // What the document has too much of for a run file; "" if it was refused for
  // another reason.
  const char* excess() const {
    if (depth_ > kDeepest) return "lists and objects are nested too deeply";
    if (containers_ > kMostContainers) return "too many lists and objects";
    if (keys_[depth_] > kMostKeys) return "an object has too many keys";
    return "";
  }
  // How many bytes were read when the error was found.
  std::size_t error_position() const { return error_position_; }

 private:
  bool enter() {
    if (++depth_ > kDeepest || ++containers_ > kMostContainers) return false;
    keys_[depth_] = 0;
    return true;
  }
  bool leave() {
    --depth_;
    return true;
  }

  int depth_ = 0;
  // number of keys so far in the object at each depth
  size_t keys_[kDeepest + 2] = {};
  size_t containers_ = 0;
  std::size_t error_position_ = 0;
};

// Iterates over a text and stores in `reached` how far it has come, which the
// parser does not report.
class CountedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedText(const char* at, const char** reached)
      : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  CountedText& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountedText operator++(int) {
    const CountedText before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountedText& other) const { return at_ == other.at_; }
  bool operator!=(const CountedText& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// "LINE:COLUMN" of the last of the first `bytes` bytes.
std::string line_and_column(std::string_view text, size_t bytes) {
  const std::string_view before =
      text.substr(0, std::min(bytes > 0 ? bytes - 1 : 0, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_break = before.rfind('\n');
  const size_t column = line_break == std::string_view::npos
                            ? before.size() + 1
                            : before.size() - line_break;
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

std::optional<Json> parse_json(std::string_view text, std::string* complaint) {
  SyntaxCheck check;
  const char* reached = text.data();
  if (Json::sax_parse(CountedText(text.data(), &reached),
                      CountedText(text.data() + text.size(), &reached),
                      &check)) {
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
  }
  if (*check.excess() != '\0') {
    *complaint =
        line_and_column(text, static_cast<size_t>(reached - text.data())) +
        ": " + check.excess();
  } else {
    const size_t position = check.error_position();
    const bool at_end = position > text.size();
    *complaint = line_and_column(text, position) +
                 (at_end ? ": the file ends too early" : ": not valid JSON");
  }
  return std::nullopt;
}

Cursor::Cursor(const Json& value, std::string* complaint)
    : value_(&value), complaint_(complaint) {}

Cursor::Cursor(const Json& value, std::string path, std::string* complaint)
    : value_(&value), path_(std::move(path)), complaint_(complaint) {}

void Cursor::expect(bool condition, std::string_view what) const {
  if (condition || !ok()) return;
  *complaint_ = path_.empty() ? "the file" : path_;
  *complaint_ += ' ';
  *complaint_ += what;
}

bool Cursor::has(const char* key) const {
  return value_->is_object() && value_->contains(key);
}

bool Cursor::is_null() const { return value_->is_null(); }

Cursor Cursor::operator[](const char* key) const {
  static const Json* const nothing = new Json;
  expect(value_->is_object(), "is not an object");
  const std::string path = path_.empty() ? key : path_ + '.' + key;
  if (has(key)) return Cursor((*value_)[key], path, complaint_);
  const Cursor missing(*nothing, path, complaint_);
  missing.expect(false, "is missing");
  return missing;
}

std::string Cursor::string() const {
  expect(value_->is_string(), "is not a string");
  return ok() ? value_->get<std::string>() : "";
}

bool Cursor::boolean() const {
  expect(value_->is_boolean(), "is neither true nor false");
  return ok() && value_->get<bool>();
}

uint64_t Cursor::address() const {
  expect(value_->is_number_unsigned(), "is not an address");
  return ok() ? value_->get<uint64_t>() : 0;
}

int64_t Cursor::integer() const {
  expect(value_->is_number_integer(), "is not an integer");
  const bool small = value_->is_number_unsigned()
                         ? value_->get<uint64_t>() <= uint64_t{kLargestInteger}
                         : value_->is_number_integer() &&
                               value_->get<int64_t>() >= -kLargestInteger;
  expect(small, "is out of range");
  return ok() ? value_->get<int64_t>() : 0;
}

std::vector<int64_t> Cursor::counts(const int64_t* null) const {
  std::vector<int64_t> values;
  expect(value_->is_array(), "is not a list");
  if (!ok()) return values;
  values.reserve(value_->size());
  for (const Json& item : *value_) {
    if (null != nullptr && item.is_null()) {
      values.push_back(*null);
      continue;
    }
    // Lists are long: the path of an item is made only if it is needed.
    const bool valid = item.is_number_unsigned() &&
                       item.get<uint64_t>() <= uint64_t{kLargestInteger};
    if (!valid) {
      Cursor(item, path_ + '[' + std::to_string(values.size()) + ']',
             complaint_)
          .count();
    }
    if (!ok()) return {};
    values.push_back(item.get<int64_t>());
  }
  return values;
}

double Cursor::number() const {
  expect(value_->is_number(), "is not a number");
  const double value = ok() ? value_->get<double>() : 0;
  expect(std::abs(value) <= static_cast<double>(kLargestInteger),
         "is out of range");
  return ok() ? value : 0;
}

int64_t Cursor::count(int64_t least) const {
  const int64_t value = integer();
  if (value < least) expect(false, "is less than " + std::to_string(least));
  return ok() ? value : least;
}

}  // namespace poprt
