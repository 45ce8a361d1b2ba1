#include "results/events/evaluations.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "lcsm/files/json_text.h"
#include "lcsm/files/whole_file.h"
#include "results/events/run_folder.h"
#include "results/events/value_json.h"
#include "results/files/checksum.h"

namespace results {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "lcsm.evaluation/1";

// "2500-test-1a2b3c4d.json": step, split, checksum of the settings.
std::string name_of(const Evaluation& evaluation) {
  const std::string metric = evaluation.metrics.empty() ? "" : evaluation.metrics[0].first;
  return std::to_string(evaluation.step) + "-" + metric.substr(0, metric.find('.')) + "-" +
         crc_text(crc32(evaluation.settings)) + ".json";
}

Evaluation parse(const Json& json) {
  if (json.at("schema") != kSchema) throw std::invalid_argument("another schema");
  Evaluation evaluation{json.at("settings").get<std::string>(),
                        json.at("step").get<std::int64_t>(),
                        json.at("time").get<double>(),
                        {},
                        {}};
  for (const auto& [metric, value] : json.at("metrics").items())
    if (const auto number = real_in(value))
      evaluation.metrics.emplace_back(metric, *number);
    else
      throw std::invalid_argument("no number");
  for (const auto& [name, value] : json.at("environment").items()) {
    Value& fact = evaluation.environment[name];
    if (value.is_boolean()) fact = value.get<bool>();
    if (value.is_number_integer()) fact = value.get<std::int64_t>();
    if (value.is_number_float()) fact = value.get<double>();
    if (value.is_string()) fact = value.get<std::string>();
    if (value.is_array()) fact = List{value.dump()};
  }
  return evaluation;
}

Evaluation read_one(const fs::path& file) {
  try {
    return parse(Json::parse(lcsm::read_json_text(file)));
  } catch (const Json::exception&) {
  } catch (const std::invalid_argument&) {
  }
  throw std::invalid_argument(file.string() + ": expected an evaluation of the schema " + kSchema +
                              ", got something else");
}

void write_file(const fs::path& folder, const Evaluation& evaluation) {
  Json metrics = Json::object();
  for (const auto& [metric, value] : evaluation.metrics) metrics[metric] = json_of(value);
  const Json json = {{"schema", kSchema},       {"settings", evaluation.settings},
                     {"step", evaluation.step}, {"time", evaluation.time},
                     {"metrics", metrics},      {"environment", json_of(evaluation.environment)}};
  lcsm::create_one_folder(folder / kEvaluationsFolder);
  lcsm::sync_folder(folder);
  lcsm::write_whole(folder / kEvaluationsFolder / name_of(evaluation),
                    json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

void write_evaluation(const fs::path& folder, const Evaluation& evaluation) {
  const fs::path file = folder / kEvaluationsFolder / name_of(evaluation);
  if (fs::exists(file) && read_one(file).settings != evaluation.settings)
    throw std::runtime_error(file.string() + ": expected the settings '" + evaluation.settings +
                             "', got others with the same checksum: rename this file");
  write_file(folder, evaluation);
}

std::vector<Evaluation> read_evaluations(const fs::path& folder) {
  std::vector<Evaluation> found;
  for (const fs::directory_entry& entry : entries_of(folder / kEvaluationsFolder))
    if (entry.path().extension() == ".json") found.push_back(read_one(entry.path()));
  std::sort(found.begin(), found.end(), [](const Evaluation& a, const Evaluation& b) {
    return std::tie(a.settings, a.step, a.metrics) < std::tie(b.settings, b.step, b.metrics);
  });
  return found;
}

void unite_evaluations(const fs::path& from, const fs::path& to) {
  const std::vector<Evaluation> ours = read_evaluations(to);
  for (const Evaluation& theirs : read_evaluations(from)) {
    const auto same = [&](const Evaluation& one) { return name_of(one) == name_of(theirs); };
    const auto found = std::find_if(ours.begin(), ours.end(), same);
    if (found == ours.end() || found->time < theirs.time) write_evaluation(to, theirs);
  }
}

}  // namespace results
