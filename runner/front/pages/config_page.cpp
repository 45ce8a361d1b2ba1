#include "runner/front/pages/config_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lcsm/base/words.h"
#include "runner/base/files/json_file.h"
#include "runner/base/text/wrap.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/run_id.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

std::string shown_default(const ConfigKey& key) {
  const std::optional<Value> usual = usual_value(key);
  return usual ? toml_text(*usual) : "-";
}

// "1 to 10000 layers", "eos, attention"; empty if every value is accepted.
std::string shown_values(const ConfigKey& key) {
  if (key.kind == Kind::kChoice) return lcsm::joined(lcsm::words_of(key.choices));
  if (key.kind != Kind::kInteger && key.kind != Kind::kReal) return "";
  return fmt::format("{}{} to {}{}{}", key.above ? "above " : "", canonical_number(key.least),
                     canonical_number(key.most), key.unit.empty() ? "" : " ", key.unit);
}

// The choices that a key applies with: "task.name = mqar", "model.family = eos"; "" = all.
std::string shown_only(const ConfigKey& key) {
  if (key.only.empty()) return "";
  const std::string decided(decided_by(key));
  std::vector<std::string> choices = lcsm::words_of(key_row(key_index(decided)).choices);
  const std::size_t others =
      std::erase_if(choices, [&](const std::string& choice) { return !applies_with(key, choice); });
  return others == 0 ? "" : decided + " = " + lcsm::joined(choices);
}

std::string explanation(const ConfigKey& key) {
  std::string text(key.help);
  if (const std::string values = shown_values(key); !values.empty()) text += " (" + values + ")";
  if (const std::string only = shown_only(key); !only.empty()) text += "; with " + only;
  return key.semantic ? text : text + " *";
}

std::string tasks_page(int width) {
  std::string page = "\nTasks, with the defaults that they override:\n";
  for (const TaskRow& task : kTaskRows) {
    page += "  ";
    wrap_onto(page, fmt::format("{}: {}; reports {}", task.name, task.help, task.reports), 4,
              width);
    if (task.usual.empty()) continue;
    page += "    ";
    wrap_onto(page, std::string(task.usual), 4, width);
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
    case Kind::kSystem:
      return "system";
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
  if (!key.choices.empty()) json["values"] = lcsm::words_of(key.choices);
  if (const std::string only = shown_only(key); !only.empty()) json["only"] = only;
  json["semantic"] = key.semantic;
  json["help"] = key.help;
  return json;
}

Json task_json(const TaskRow& task) {
  Json json = {{"task", task.name}, {"help", task.help}, {"reports", lcsm::words_of(task.reports)}};
  json["keys"] = lcsm::words_of(task.keys);
  json["defaults"] = lcsm::words_of(task.usual);
  return json;
}

// The run's id; "" while the configuration has none, with the reason.
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
  constexpr int kName = 24, kDefault = 16;
  const int width = terminal.tty && terminal.width > 0 ? terminal.width : 1 << 20;
  std::string page;
  std::string_view table = "task";
  for (const ConfigKey& key : kConfigKeys) {
    const std::string_view own = key.name.substr(0, key.name.find('.'));
    if (own != table) page += "\n";
    table = own;
    page += fmt::format("{:<{}}{:<{}}", key.name, kName, shown_default(key), kDefault);
    wrap_onto(page, explanation(key), kName + kDefault, width);
  }
  page += "\n";
  wrap_onto(
      page,
      "Each key is followed by its default (- if there is none). * does not change the result.", 0,
      width);
  return page + tasks_page(width);
}

std::string keys_json() {
  Json json = {{"schema", "lcsm.keys/1"}, {"keys", Json::array()}, {"tasks", Json::array()}};
  for (const ConfigKey& key : kConfigKeys) json["keys"].push_back(key_json(key));
  for (const TaskRow& task : kTaskRows) json["tasks"].push_back(task_json(task));
  return printed_json(json);
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
  return printed_json(json);
}

}  // namespace runner
