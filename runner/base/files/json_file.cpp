#include "runner/base/files/json_file.h"

#include <cmath>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/json_text.h"
#include "lcsm/files/whole_file.h"

namespace runner {

using Json = nlohmann::ordered_json;

Json read_json_file(const std::filesystem::path& file) {
  try {
    return Json::parse(lcsm::read_json_text(file), nullptr, /*allow_exceptions=*/false);
  } catch (const std::system_error&) {
  } catch (const std::invalid_argument&) {
  }
  return Json(Json::value_t::discarded);
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string printed_json(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_json_file(const std::filesystem::path& file, const Json& json) {
  lcsm::write_whole(file, printed_json(json));
}

nlohmann::ordered_json number_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace runner
