// Values as bytes: integers are eight bytes of this machine; a string or a list
// is preceded by its length.
//
// One function describes the bytes for writing (`stream` is a BytesWriter, the
// values are const) and for reading (a BytesReader).  stream(a, b) takes any
// number of integers, flags, strings and lists of these.
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
  template <class... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }
  // A list of anything else; `write_item` writes what is in an item.
  template <class Item, class WriteItem>
  void list(const std::vector<Item>& items, WriteItem write_item) {
    write(uint64_t{items.size()});
    for (const Item& item : items) write_item(item);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void write(uint64_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
  }
  void write(int64_t value) { write(std::bit_cast<uint64_t>(value)); }
  void write(bool value) { write(uint64_t{value}); }
  void write(const std::string& value) {
    write(uint64_t{value.size()});
    bytes_ += value;
  }
  template <class Item>
  void write(const std::vector<Item>& items) {
    list(items, [&](const Item& item) { write(item); });
  }

  std::string bytes_;
};

// Reads what BytesWriter wrote.  After the first missing value all further
// values are empty and at_end() stays false.
class BytesReader {
 public:
  BytesReader(const char* bytes, size_t size) : next_(bytes), left_(size) {}

  template <class... Values>
  void operator()(Values&... values) {
    (read(&values), ...);
  }
  template <class Item, class ReadItem>
  void list(std::vector<Item>& items, ReadItem read_item) {
    uint64_t count;
    read(&count);
    // Each item has at least eight bytes, so a damaged count allocates no
    // memory.
    if (count > left_ / sizeof(uint64_t)) ok_ = false;
    if (!ok_) return;
    items.resize(count);
    for (Item& item : items) read_item(item);
  }
  bool at_end() const { return ok_ && left_ == 0; }

 private:
  void read(uint64_t* value) {
    *value = 0;
    const char* bytes = take(sizeof *value);
    if (bytes != nullptr) std::memcpy(value, bytes, sizeof *value);
  }
  void read(int64_t* value) {
    uint64_t bits;
    read(&bits);
    *value = std::bit_cast<int64_t>(bits);
  }
  void read(bool* value) {
    uint64_t bits;
    read(&bits);
    if (bits > 1) ok_ = false;
    *value = bits == 1;
  }
  void read(std::string* value) {
    uint64_t length;
    read(&length);
    const char* bytes = take(length);
    if (bytes != nullptr) value->assign(bytes, length);
  }
  template <class Item>
  void read(std::vector<Item>* items) {
    list(*items, [&](Item& item) { read(&item); });
  }

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

}  // namespace poprt

#endif  // POPRT_MODEL_BYTES_H_
