// Values as bytes: integers are eight bytes of this machine; a string or a list
// is preceded by its length.
#ifndef POPRT_MODEL_BYTES_H_
#define POPRT_MODEL_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace poprt {

class BytesWriter {
 public:
  void integer(uint64_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
  }
  void integer(int64_t value) { integer(std::bit_cast<uint64_t>(value)); }
  void flag(bool value) { integer(uint64_t{value}); }
  void string(const std::string& value) {
    integer(uint64_t{value.size()});
    bytes_ += value;
  }
  template <class Item, class WriteItem>
  void list(const std::vector<Item>& items, WriteItem write_item) {
    integer(uint64_t{items.size()});
    for (const Item& item : items) write_item(item);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what BytesWriter wrote.  After the first missing value all further
// values are empty and at_end() stays false.
class BytesReader {
 public:
  BytesReader(const char* bytes, size_t size) : next_(bytes), left_(size) {}

  void integer(uint64_t* value) {
    *value = 0;
    const char* bytes = take(sizeof *value);
    if (bytes != nullptr) std::memcpy(value, bytes, sizeof *value);
  }
  void integer(int64_t* value) {
    uint64_t bits;
    integer(&bits);
    *value = std::bit_cast<int64_t>(bits);
  }
  void flag(bool* value) {
    uint64_t bits;
    integer(&bits);
    if (bits > 1) ok_ = false;
    *value = bits == 1;
  }
  void string(std::string* value) {
    uint64_t length;
    integer(&length);
    const char* bytes = take(length);
    if (bytes != nullptr) value->assign(bytes, length);
  }
  template <class Item, class ReadItem>
  void list(std::vector<Item>* items, ReadItem read_item) {
    uint64_t count;
    integer(&count);
    // Each item has at least eight bytes, so a damaged count allocates no
    // memory.
    if (count > left_ / sizeof(uint64_t)) ok_ = false;
    if (!ok_) return;
    items->resize(count);
    for (Item& item : *items) read_item(item);
  }
  bool at_end() const { return ok_ && left_ == 0; }

 private:
  const char* take(uint64_t size) {
    if (size > left_) ok_ = false;
    if (!ok_) return nullptr;
    const char* bytes = next_;
    next_ += size;
    left_ -= size;
    return bytes;
  }

  const char* next_;
  size_t left_;
  bool ok_ = true;
};

// The same function describes the bytes for writing (`stream` is a BytesWriter,
// `totals` is const) and for reading (a BytesReader).
template <class Value>
const Value& arg(BytesWriter&, const Value& value) {
  return value;
}
template <class Value>
Value* arg(BytesReader&, Value& value) {
  return &value;
}

}  // namespace poprt

#endif  // POPRT_MODEL_BYTES_H_
