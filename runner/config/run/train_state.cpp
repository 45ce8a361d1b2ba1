#include "runner/config/run/train_state.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/events/real_json.h"

namespace runner {
namespace {

using nlohmann::ordered_json;

double number_of(const ordered_json& json) {
  if (const auto value = results::real_in(json)) return *value;
  throw std::invalid_argument("expected a number, \"nan\", \"inf\" or \"-inf\", got " +
                              json.dump());
}

std::int64_t count_of(const ordered_json& json) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 0)
    throw std::invalid_argument("expected a count, got " + json.dump());
  return json.get<std::int64_t>();
}

}  // namespace

std::string json_text(const TrainState& state) {
  ordered_json json = {{"step", state.step}, {"best", nullptr}};
  if (state.best)
    json["best"] = {{"step", state.best->step}, {"value", results::json_of(state.best->value)}};
  json["untold"] = {{"steps", state.untold.steps}, {"loss", results::json_of(state.untold.loss)}};
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
