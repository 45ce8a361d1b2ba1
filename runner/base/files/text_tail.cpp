#include "runner/base/files/text_tail.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "lcsm/files/confined.h"

namespace runner {
namespace {

constexpr std::uintmax_t kMostAtOnce = 16 << 20;

// Devices and pipes may have no end.
bool is_text(const std::filesystem::path& file) {
  std::error_code error;
  return lcsm::link_on_the_way(file).empty() && std::filesystem::is_regular_file(file, error);
}

}  // namespace

std::vector<std::string> last_lines(const std::filesystem::path& file, std::size_t lines,
                                    std::uintmax_t bytes) {
  if (!is_text(file)) return {};
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const auto size = static_cast<std::uintmax_t>(stream.tellg());
  stream.seekg(static_cast<std::streamoff>(size - std::min(size, bytes)));
  std::vector<std::string> last;
  for (std::string line; std::getline(stream, line);) last.push_back(line);
  std::size_t spare = size > bytes && last.size() > 1 ? 1 : 0;
  if (last.size() > lines) spare = last.size() - lines;
  last.erase(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(spare));
  return last;
}

std::vector<std::string> TextTail::read() {
  std::vector<std::string> lines;
  if (!is_text(file_)) return lines;
  std::ifstream stream(file_, std::ios::binary | std::ios::ate);
  if (!stream) return lines;
  const auto size = static_cast<std::uintmax_t>(stream.tellg());
  if (size < at_) at_ = 0;
  at_ = std::max(at_, size - std::min(size, kMostAtOnce));
  stream.seekg(static_cast<std::streamoff>(at_));
  for (std::string line; std::getline(stream, line) && !stream.eof();) {
    at_ += line.size() + 1;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace runner
