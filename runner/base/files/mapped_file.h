// A file mapped into memory, read-only.
#pragma once

#include <cstddef>
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

}  // namespace runner
