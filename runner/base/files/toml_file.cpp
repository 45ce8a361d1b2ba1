#include "runner/base/files/toml_file.h"

#include <stdexcept>
#include <system_error>

#include "lcsm/files/read_file.h"

namespace runner {
namespace {

constexpr std::size_t kLargestFile = 16 << 20;

}  // namespace

std::string read_toml_file(const std::string& path) {
  std::string text;
  try {
    text = lcsm::read_file(path, 0, kLargestFile + 1);
  } catch (const std::system_error& error) {
    throw std::runtime_error("'" + path + "' cannot be read: " + error.code().message());
  }
  if (text.size() > kLargestFile)
    throw std::runtime_error("'" + path +
                             "' is larger than 16 MiB, expected a hand-written TOML file");
  return text;
}

}  // namespace runner
