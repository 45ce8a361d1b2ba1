#include "results/events/value_json.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

struct JsonOfValue {
  Json operator()(const List& list) const { return Json::parse(list.json); }
  Json operator()(double value) const { return json_of(value); }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

}  // namespace

Json json_of(const Values& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[key] = std::visit(JsonOfValue{}, value);
  return json;
}

}  // namespace results
