// Parses what event_text.cpp writes.
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "lcsm/files/json_text.h"
#include "results/events/event_text.h"
#include "results/events/run_folder.h"
#include "results/events/value_json.h"

namespace results {
namespace {

using AnyJson = nlohmann::json;

[[noreturn]] void refuse(const std::string& expected, const std::string& got) {
  constexpr std::size_t kEnough = 60;
  throw LineError("expected " + expected + ", got " +
                  (got.size() > kEnough ? got.substr(0, kEnough) + "..." : got));
}

// Dumps as ASCII JSON, which no terminal interprets.
std::string shown(const AnyJson& json) {
  return json.dump(-1, ' ', true, AnyJson::error_handler_t::replace);
}

// The fields of an object; none_left() refuses those that were not read.
class Fields {
 public:
  explicit Fields(const AnyJson& json) : json_(json) {
    if (!json.is_object()) refuse("an object", shown(json));
  }

  const AnyJson& at(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end()) refuse(std::string("'") + key + "'", "none");
    taken_.insert(key);
    return *found;
  }
  std::int64_t integer(const char* key, std::int64_t least) {
    const AnyJson& value = at(key);
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max());
    if (!fits || value.get<std::int64_t>() < least)
      refuse("an integer of at least " + std::to_string(least) + " as '" + key + "'", shown(value));
    return value.get<std::int64_t>();
  }
  std::string text(const char* key) {
    const AnyJson& value = at(key);
    if (!value.is_string()) refuse(std::string("text as '") + key + "'", shown(value));
    return value.get<std::string>();
  }
  void none_left() const {
    for (const auto& [key, value] : json_.items())
      if (!taken_.contains(key)) refuse("no other field", shown(key));
  }

 private:
  const AnyJson& json_;
  std::set<std::string> taken_;
};

double real_of(const AnyJson& json, const std::string& name) {
  if (const auto value = real_in(json)) return *value;
  refuse("a number, \"nan\", \"inf\" or \"-inf\" as " + shown(name), shown(json));
}

Value value_of(const std::string& key, const AnyJson& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    refuse("a signed 64-bit integer as " + shown(key), shown(json));
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return List{json.dump()};
  refuse("a flat value as " + shown(key), shown(json));
}

Values values_of(const AnyJson& json) {
  if (!json.is_object()) refuse("an object of values", shown(json));
  Values values;
  for (const auto& [key, value] : json.items()) {
    if (key.empty()) refuse("a key", "an empty one");
    values[key] = value_of(key, value);
  }
  return values;
}

RunLine run_line(Fields& fields) {
  if (const std::string format = fields.text("format"); format != kEventFormat)
    refuse("the format " + std::string(kEventFormat), shown(format));
  RunLine line{fields.text("run"), fields.text("identity"), values_of(fields.at("parameters"))};
  if (!is_run_id(line.run)) refuse("32 hex digits as 'run'", shown(line.run));
  return line;
}

MetricsLine metrics_line(Fields& fields) {
  MetricsLine line{fields.integer("step", 0), {}};
  const AnyJson& values = fields.at("values");
  if (!values.is_object() || values.empty()) refuse("metrics as 'values'", shown(values));
  for (const auto& [name, value] : values.items()) {
    if (name.empty()) refuse("a metric's name", "an empty one");
    line.values.emplace_back(name, real_of(value, name));
  }
  return line;
}

ArtefactLine artefact_line(Fields& fields) {
  ArtefactLine line{fields.text("kind"), fields.text("path"), fields.integer("step", 0),
                    fields.integer("bytes", 0), fields.text("sha256")};
  const bool leaves =
      line.path.starts_with('/') || ("/" + line.path + "/").find("/../") != std::string::npos;
  if (line.path.empty() || leaves) refuse("a path inside the run folder", shown(line.path));
  return line;
}

EndLine end_line(Fields& fields) {
  const std::string name = fields.text("status");
  const std::optional<RunState> state = stored_state(name);
  if (!state || *state == RunState::kNew || *state == RunState::kRunning)
    refuse("a status", shown(name));
  return {*state, fields.integer("step", 0), fields.text("message")};
}

Line line_of(Fields& fields) {
  const std::string kind = fields.text("event");
  if (kind == "metrics") return metrics_line(fields);
  if (kind == "run") return run_line(fields);
  if (kind == "attempt")
    return AttemptLine{fields.integer("from_step", 0), fields.integer("from_seq", 0),
                       values_of(fields.at("environment"))};
  if (kind == "artefact") return artefact_line(fields);
  if (kind == "message") return MessageLine{fields.text("level"), fields.text("text")};
  if (kind == "end") return end_line(fields);
  refuse("a kind of event", shown(kind));
}

}  // namespace

Event parse_event(std::string_view text) {
  if (Event metrics; parse_plain_metrics(text, &metrics)) return metrics;
  if (lcsm::nests_too_deep(text)) refuse("JSON", "brackets that nest too deep");
  const AnyJson json = AnyJson::parse(std::string(text) + "}", nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) refuse("JSON", shown(text));
  Fields fields(json);
  Event event{fields.integer("seq", 1), fields.integer("attempt", 0),
              real_of(fields.at("time"), "time"), line_of(fields)};
  fields.none_left();
  return event;
}

}  // namespace results
