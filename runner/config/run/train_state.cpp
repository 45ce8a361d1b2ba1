#include "runner/config/run/train_state.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace runner {
namespace {

using nlohmann::ordered_json;

// JSON has no NaN or infinity, but a loss may be either.
ordered_json number(double value) {
  if (value - value == 0) return value;
  return value != value ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_of(const ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  const auto word = json.get<std::string>();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word != "inf" && word != "-inf")
    throw std::invalid_argument("expected a number, \"nan\", \"inf\" or \"-inf\", got \"" + word +
                                "\"");
  return word == "inf" ? std::numeric_limits<double>::infinity()
                       : -std::numeric_limits<double>::infinity();
}

std::int64_t count_of(const ordered_json& json) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 0)
    throw std::invalid_argument("expected a count, got " + json.dump());
  return json.get<std::int64_t>();
}

}  // namespace

std::string json_text(const TrainState& state) {
  ordered_json json = {{"step", state.step}, {"best", nullptr}};
  if (state.best) json["best"] = {{"step", state.best->step}, {"value", number(state.best->value)}};
  json["untold"] = {{"steps", state.untold.steps}, {"loss", number(state.untold.loss)}};
  json["stopped"] = state.stopped;
  return json.dump();
}

TrainState train_state(std::string_view text) {
  try {
    const ordered_json json = ordered_json::parse(text);
    TrainState state;
    state.step = count_of(json.at("step"));
    if (const ordered_json& best = json.at("best"); !best.is_null())
      state.best = {count_of(best.at("step")), number_of(best.at("value"))};
    state.untold = {count_of(json.at("untold").at("steps")),
                    number_of(json.at("untold").at("loss"))};
    state.stopped = json.at("stopped").get<std::string>();
    return state;
  } catch (const ordered_json::exception& error) {
    throw std::invalid_argument(std::string("expected a training state, got ") + error.what());
  }
}

}  // namespace runner
