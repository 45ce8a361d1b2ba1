#include "lcsm/files/json_text.h"

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/read_file.h"

namespace lcsm {

bool nests_too_deep(std::string_view json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostJsonDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::string read_json_text(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& got) {
    throw std::invalid_argument(file.string() + ": expected a file with JSON, got " + got);
  };
  const auto kind = std::filesystem::symlink_status(file);
  if (std::filesystem::is_symlink(kind))
    throw std::system_error(ELOOP, std::generic_category(), file.string() + " is a link");
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind))
    refuse("something that is no regular file");
  std::string text = read_file(file, 0, kMostJsonBytes + 1);
  if (text.size() > kMostJsonBytes) refuse("more than 64 MiB");
  if (nests_too_deep(text))
    refuse("brackets that nest more than " + std::to_string(kMostJsonDepth) + " deep");
  return text;
}

}  // namespace lcsm
