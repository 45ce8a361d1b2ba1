#include "runner/config_views.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runner/run_id.h"
#include "runner/text_table.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Json& json) { return json.dump(2) + "\n"; }

std::string shown_default(const ConfigKey& key) {
  const std::optional<Value> usual = usual_value(key);
  return usual ? toml_text(*usual) : "-";
}

// "0 to 10000 layers", "eos, attention".
std::string shown_values(const ConfigKey& key) {
  std::string text = wanted(key);
  for (const char* start : {"a whole number", "a number", "one of ", "a code such as ", "a text"})
    if (text.starts_with(start)) {
      text.erase(0, std::string_view(start).size());
      break;
    }
  for (const char* start : {" of ", " from "})
    if (text.starts_with(start)) text.erase(0, std::string_view(start).size());
  return text;
}

// What a key needs beside itself: "mqar", "model.family = eos".
std::string shown_only(const ConfigKey& key) {
  if (key.only != kTask) return std::string(key.only);
  std::string tasks;
  for (const TaskRow& task : kTaskRows)
    for (const std::string& name : words_of(task.keys))
      if (name == key.name) tasks += (tasks.empty() ? "" : " ") + std::string(task.name);
  return "task.name = " + tasks;
}

std::string tasks_page() {
  std::string page = "\nTasks, and defaults of their own:\n";
  for (const TaskRow& task : kTaskRows) {
    page += fmt::format("  {}: {}; reports {}\n", task.name, task.help, task.reports);
    std::string line;
    for (const std::string& word : words_of(task.usual)) {
      if (line.size() + word.size() > 90) page += "   " + line + "\n", line.clear();
      line += " " + word;
    }
    if (!line.empty()) page += "   " + line + "\n";
  }
  return page;
}

Json json_of(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::kInteger:
      return "integer";
    case Kind::kReal:
      return "real";
    case Kind::kChoice:
      return "choice";
    case Kind::kCode:
      return "code";
    default:
      return "text";
  }
}

Json key_json(const ConfigKey& key) {
  Json json = {{"key", key.name}, {"type", kind_name(key.kind)}};
  const std::optional<Value> usual = usual_value(key);
  json["default"] = usual ? json_of(*usual) : Json(nullptr);
  if (!key.unit.empty()) json["unit"] = key.unit;
  if (key.kind == Kind::kInteger || key.kind == Kind::kReal) {
    json[key.above ? "above" : "from"] = key.least;
    json["to"] = key.most;
  }
  if (!key.choices.empty()) json["values"] = words_of(key.choices);
  if (!key.only.empty()) json["only"] = shown_only(key);
  json["semantic"] = key.semantic;
  json["help"] = key.help;
  return json;
}

Json task_json(const TaskRow& task) {
  Json json = {{"task", task.name}, {"help", task.help}, {"reports", words_of(task.reports)}};
  json["keys"] = words_of(task.keys);
  json["defaults"] = words_of(task.usual);
  return json;
}

// Empty when there is none yet, with the reason.
std::string id_or_reason(const RunConfig& config, std::string& reason) {
  try {
    return run_id(config);
  } catch (const std::invalid_argument& error) {
    reason = error.what();
    return "";
  }
}

}  // namespace

std::string keys_page(const Terminal& terminal) {
  TextTable table({{"key"},
                   {"default", Align::kLeft, 8},
                   {"meaning", Align::kLeft, 20},
                   {"values", Align::kLeft, 12},
                   {"only with", Align::kLeft, 12}});
  for (const ConfigKey& key : kConfigKeys)
    table.add_row({std::string(key.name) + (key.semantic ? "" : " *"), shown_default(key),
                   std::string(key.help), shown_values(key), shown_only(key)});
  return table.text(terminal) +
         "\n-  has no default    *  does not change the result, nor the run's identity\n" +
         tasks_page();
}

std::string keys_json() {
  Json json = {{"schema", "lcsm.keys/1"}, {"keys", Json::array()}, {"tasks", Json::array()}};
  for (const ConfigKey& key : kConfigKeys) json["keys"].push_back(key_json(key));
  for (const TaskRow& task : kTaskRows) json["tasks"].push_back(task_json(task));
  return printed(json);
}

std::string config_page(const RunConfig& config, const Terminal& terminal) {
  std::string reason;
  const std::string id = id_or_reason(config, reason);
  return styled(terminal, Style::kDim, id.empty() ? "# " + reason : "# run " + id) + "\n" +
         toml_text(config, true);
}

std::string config_json(const RunConfig& config) {
  std::string reason;
  const std::string id = id_or_reason(config, reason);
  Json json = {{"schema", "lcsm.config/1"}};
  json["id"] = id.empty() ? Json(nullptr) : Json(id);
  if (!id.empty()) json["identity"] = Json::parse(canonical_json(config));
  json["keys"] = Json::array();
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
    const Setting& setting = config.at(static_cast<int>(i));
    if (!setting.used) continue;
    json["keys"].push_back({{"key", kConfigKeys[i].name},
                            {"value", json_of(setting.value)},
                            {"set_by", setting.set_by},
                            {"default", setting.usual}});
  }
  json["notes"] = config.notes();
  return printed(json);
}

}  // namespace runner
