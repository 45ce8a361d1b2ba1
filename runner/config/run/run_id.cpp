#include "runner/config/run/run_id.h"

#include <map>
#include <nlohmann/json.hpp>

#include "lcsm/code/variant.h"
#include "lcsm/formula/simplify.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/roles.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/toml/oscillation_file.h"

namespace runner {
namespace {

using Members = std::map<std::string, std::string>;  // name -> JSON, in RFC 8785 order

std::string json_text(const std::string& text) { return nlohmann::json(text).dump(); }

std::string json_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return canonical_number(*real);
  return json_text(std::get<std::string>(value));
}

std::string object(const Members& members) {
  std::string text;
  for (const auto& [name, json] : members)
    text += (text.empty() ? "" : ",") + json_text(name) + ":" + json;
  return "{" + text + "}";
}

std::string canonical(const lcsm::Expr& e) { return json_text(lcsm::to_string(lcsm::simplify(e))); }

// Null if the code uses a built-in oscillation.
const lcsm::Oscillation* custom_oscillation(const RunConfig& config) {
  if (!config.has_code()) return nullptr;
  const lcsm::Oscillation* o = config.catalogue().find(config.code().o);
  return o->origin.empty() ? nullptr : o;
}

void add_code(const RunConfig& config, Members& members) {
  const lcsm::Oscillation* custom = custom_oscillation(config);
  if (custom == nullptr) return;
  std::string code = config.text("model.code"_key);
  code.replace(code.find(custom->name), custom->name.size(), "own");
  members["model.code"] = json_text(code);
  members["model.oscillation"] = gate_text_of(*custom);
}

void add_corrections(const RunConfig& config, Members& members) {
  if (!config.system()) return;
  const SystemRow& row = *config.system()->row;
  const int corrections =
      row.corrections + (config.is("model.skeleton"_key, "source") ? row.source_corrections : 0);
  if (corrections > 0)
    members["model.system"] =
        json_text(config.text("model.system"_key) + " v" + std::to_string(1 + corrections));
}

Members members_of(const RunConfig& config) {
  Members members;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
    const Setting& setting = config.at(static_cast<int>(i));
    if (kConfigKeys[i].semantic && setting.used && !setting.usual)
      members[std::string(kConfigKeys[i].name)] = json_of(setting.value);
  }
  if (config.needs_content() && config.text("task.content"_key).empty())
    throw std::invalid_argument(
        "the run has no id yet: task.content is not known until the texts at task.path are read");
  // Since its second version, recurrences read and write bfloat16, too.
  if (config.is("optim.precision"_key, "bf16")) members["optim.precision"] = json_text("bf16 v2");
  add_code(config, members);
  add_corrections(config, members);
  return members;
}

}  // namespace

std::string gate_text_of(const lcsm::Oscillation& custom) {
  static const std::string kUsualInit =
      canonical(lcsm::parse_formula("0.1 * normal", lcsm::FormulaUse::kInit));
  Members gate, inits, ranks;
  gate["o"] = canonical(custom.o);
  if (custom.scale && !lcsm::is_constant(lcsm::simplify(custom.scale), 1))
    gate["scale"] = canonical(custom.scale);
  if (custom.read) gate["read"] = canonical(custom.read);
  for (const auto& [symbol, init] : custom.inits)
    if (canonical(init) != kUsualInit) inits[lcsm::to_string(symbol)] = canonical(init);
  for (const auto& [symbol, rank] : custom.ranks) ranks[lcsm::to_string(symbol)] = canonical(rank);
  if (!inits.empty()) gate["init"] = object(inits);
  if (!ranks.empty()) gate["rank"] = object(ranks);
  return object(gate);
}

std::string canonical_json(const RunConfig& config) { return object(members_of(config)); }

std::string canonical_json_of_any_budget(const RunConfig& config) {
  Members members = members_of(config);
  for (const std::string_view key : kRoles.budgets) members.erase(std::string(key));
  return object(members);
}

std::string id_of_identity(std::string_view canonical) {
  return sha256_hex(canonical).substr(0, 32);
}

std::map<std::string, Value> parameters_of(const RunConfig& config) {
  std::map<std::string, Value> values;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
    const Setting& setting = config.at(static_cast<int>(i));
    if (setting.used && kConfigKeys[i].semantic)
      values[std::string(kConfigKeys[i].name)] = setting.value;
  }
  // One parameter for codes and systems, so that tables can have both.
  if (config.system()) values["model.code"] = config.text("model.system"_key);
  if (const lcsm::Oscillation* custom = custom_oscillation(config))
    values["model.oscillation"] = gate_text_of(*custom);
  return values;
}

std::string model_label(const RunConfig& config) {
  const std::string& stored =
      config.system() ? config.text("model.system"_key) : config.text("model.code"_key);
  const bool renamed = custom_oscillation(config) != nullptr || config.named() != stored;
  return renamed ? config.named() : "";
}

lcsm::Oscillation oscillation_of(const std::string& name, const std::string& gate) {
  const nlohmann::json json = nlohmann::json::parse(gate);
  const auto quoted = [](const nlohmann::json& text) { return text.dump(); };
  // A simplified formula may no longer show that the gate is bounded.
  std::string toml =
      "[oscillation." + name + "]\ngrowth = true\no = " + quoted(json.at("o")) + "\n";
  for (const char* factor : {"scale", "read"})
    if (json.contains(factor)) toml += std::string(factor) + " = " + quoted(json[factor]) + "\n";
  for (const char* table : {"init", "rank"})
    if (json.contains(table))
      for (const auto& [symbol, formula] : json[table].items())
        toml += std::string(table) + "." + symbol + " = " + quoted(formula) + "\n";
  return parse_oscillations(toml, "model.oscillation").at(0);
}

std::string run_id(const RunConfig& config) { return id_of_identity(canonical_json(config)); }

}  // namespace runner
