#include "runner/files/toml_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace runner {
namespace {

constexpr std::size_t kLargestFile = 16 << 20;

}  // namespace

std::string read_toml_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 14> piece;
  while (text.size() <= kLargestFile && (file.read(piece.data(), piece.size()), file.gcount() > 0))
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad() || (text.empty() && errno != 0))
    throw std::runtime_error("'" + path + "' cannot be read: " + std::strerror(errno));
  if (text.size() > kLargestFile)
    throw std::runtime_error("'" + path +
                             "' is larger than 16 MiB, expected a hand-written TOML file");
  return text;
}

}  // namespace runner
