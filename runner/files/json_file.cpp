#include "runner/files/json_file.h"

#include <fstream>
#include <iterator>

#include "lcsm/files/whole_file.h"

namespace runner {

using Json = nlohmann::ordered_json;

Json read_json_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

void write_json_file(const std::filesystem::path& file, const Json& json) {
  lcsm::write_whole(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace runner
