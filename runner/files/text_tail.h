// The end of a text that may be long, and grow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace runner {

// The last `lines` of a file, of which `bytes` are read. A line that those bytes cut is left out,
// where there is another. None of a file that is not there.
std::vector<std::string> last_lines(const std::filesystem::path& file, std::size_t lines,
                                    std::uintmax_t bytes);

// Whole lines that are appended to a text; from its start again when it was cut.
class TextTail {
 public:
  explicit TextTail(const std::filesystem::path& file) : file_(file) {}
  std::vector<std::string> read();

 private:
  std::filesystem::path file_;
  std::uintmax_t at_ = 0;
};

}  // namespace runner
