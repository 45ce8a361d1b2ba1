#include "runner/front/curves/curves_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "results/events/event_writer.h"
#include "results/events/real_json.h"
#include "results/figures/figure_style.h"
#include "results/store/current_results.h"
#include "results/text/number_text.h"
#include "runner/base/files/json_file.h"
#include "runner/config/keys/roles.h"
#include "runner/sweeps/plan/open_results.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string value_json(double value) {
  return std::isfinite(value) ? results::short_number(value) : results::json_of(value).dump();
}

// "valid.loss":[[100,200],[2.5,2.25]]
std::string curve_json(const Curve& curve) {
  std::string steps, values;
  for (const CurvePoint& point : curve.points) {
    const char* comma = steps.empty() ? "" : ",";
    steps += comma + std::to_string(point.step);
    values += comma + value_json(point.value);
  }
  return text_of(curve.metric) + ":[[" + steps + "],[" + values + "]]";
}

Json states_of(const RunCounts& counts) {
  Json states = Json::object();
  for (const results::RunState state : results::kCountedStates)
    if (counts.of(state) > 0) states[std::string(name_of(state))] = counts.of(state);
  return states;
}

Json head_of(const PanelModel& model, const std::vector<Curve>& curves, const CurvesFacts& facts) {
  std::set<std::string> metrics;
  for (const Curve& curve : curves) metrics.insert(curve.metric);
  return {{"schema", "lcsm.curves/1"},
          {"sweep", model.called.empty() ? model.sweep : model.called},
          {"title", model.title},
          {"time", facts.time},
          {"live", facts.live},
          {"run_by", model.runner},
          {"states", states_of(model.counts())},
          {"share_done", model.share_done()},
          {"eta_seconds", number_json(model.eta_seconds)},
          {"axes", model.axes},
          {"seed", kRoles.seed},
          {"metrics", metrics},
          {"metric", model.metric.substr(0, model.metric.find('@'))},
          {"colours", results::kColours}};
}

std::string run_json(const PanelRun& run) {
  return text_of({{"id", run.id.substr(0, 8)},
                  {"at", run.at},
                  {"state", name_of(counted_as(run.state))},
                  {"why", run.why},
                  {"step", run.progress.step},
                  {"steps", run.steps}});
}

// '<' and '>' occur only inside strings, so they can be escaped everywhere.
std::string without_angles(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string curves_json(const PanelModel& model, const std::vector<Curve>& curves,
                        const CurvesFacts& facts) {
  std::string json = text_of(head_of(model, curves, facts));
  json.back() = ',';
  json += "\n\"runs\":[";
  auto curve = curves.begin();
  for (std::size_t i = 0; i < model.runs.size(); ++i) {
    json += (i > 0 ? ",\n" : "\n") + run_json(model.runs[i]);
    json.back() = ',';
    json += "\"curves\":{";
    for (bool first = true; curve != curves.end() && curve->run == i; ++curve, first = false)
      json += (first ? "\n" : ",\n") + curve_json(*curve);
    json += "}}";
  }
  return without_angles(json) + "]}\n";
}

std::string current_curves_json(const PanelModel& model, const std::filesystem::path& workspace,
                                bool live) {
  const results::CurrentResults current =
      results::current_results(workspace, fold_options(kReadersPatience));
  std::vector<std::string> ids;
  for (const PanelRun& run : model.runs) ids.push_back(run.id);
  return curves_json(model, read_curves(*current.database, ids),
                     {.time = results::seconds_since_1970(), .live = live});
}

}  // namespace runner
