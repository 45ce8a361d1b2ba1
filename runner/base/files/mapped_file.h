// A file mapped into memory, read-only.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace runner {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);  // std::runtime_error: path and reason
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
};

// The number at a byte, in the order of this host's bytes.
template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace runner
