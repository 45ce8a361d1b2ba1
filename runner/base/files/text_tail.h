// Reads the end of a text file, which may be long and still growing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace runner {

// The last `lines` of a file, of which only the last `bytes` are read. A line whose start was not
// read is left out unless it is the only one. Empty if the file does not exist.
std::vector<std::string> last_lines(const std::filesystem::path& file, std::size_t lines,
                                    std::uintmax_t bytes);

// Reads complete lines as they are appended; starts over if the file was truncated. If very much
// text was appended at once, reads only its end.
class TextTail {
 public:
  explicit TextTail(const std::filesystem::path& file) : file_(file) {}
  std::vector<std::string> read();

 private:
  std::filesystem::path file_;
  std::uintmax_t at_ = 0;
};

}  // namespace runner
