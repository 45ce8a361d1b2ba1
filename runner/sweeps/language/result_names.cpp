#include "runner/sweeps/language/result_names.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/figures/figure.h"
#include "results/tables/table.h"
#include "results/text/number_text.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/roles.h"
#include "runner/config/keys/task_rows.h"
#include "runner/sweeps/language/search.h"

namespace runner {
namespace {

// Suggests the metric of a split for a name such as "accuracy", the whole name for "test.acc".
std::string suggested_metric(const std::string& metric, const std::vector<std::string>& known) {
  for (const std::string& name : known)
    if (name.ends_with("." + metric) || name.starts_with(metric))
      return "; did you mean '" + name + "'?";
  return lcsm::did_you_mean(metric, known, "; the metrics are " + lcsm::joined(known));
}

}  // namespace

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const char* split : {"valid.", "test."})
    for (const TaskRow& task : kTaskRows)
      for (const std::string& metric : lcsm::words_of(task.reports))
        if (!lcsm::has_word(names, split + metric)) names.push_back(split + metric);
  for (const TaskRow& task : kTaskRows)
    if (!task.apart.empty()) names.push_back("test." + std::string(task.apart));
  for (const std::string& metric : lcsm::words_of(kRunMetrics)) names.push_back(metric);
  return names;
}

std::string wrong_parameter(const std::string& name) {
  const int key = key_index(name);
  if (key < 0) return "unknown key '" + name + "'" + meant_key(name);
  if (key_row(key).semantic) return "";
  const std::string meant(kRoles.meant(name));
  return "runs do not keep '" + name + "', which does not change their results" +
         (meant == name ? "" : "; did you mean '" + meant + "'?");
}

std::string wrong_tuned(const std::string& name) {
  return name == kRoles.seed ? "the best seed is luck: select a parameter" : wrong_parameter(name);
}

std::string wrong_label(const std::string& name) {
  if (name == results::kEvaluatedSign + std::string(kEvaluatedChunk)) return "";
  return wrong_parameter(name.starts_with(results::kEvaluatedSign) ? name.substr(1) : name);
}

std::string wrong_axis(const std::string& name) {
  if (name == results::kStepAxis) return "";
  const std::vector<std::string> step = {std::string(results::kStepAxis)};
  if (key_index(name) < 0 && wrong_metric(name).empty())
    return "'" + name + "' is a metric: only a figure of kind \"scatter\" is over one";
  const std::string hint = lcsm::did_you_mean(name, step);
  return hint.empty() ? wrong_label(name) : "unknown key '" + name + "'" + hint;
}

std::string wrong_metric(const std::string& name) {
  results::Reduction value;
  try {
    value = results::parse_value(name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  const std::vector<std::string> known = metric_names();
  const bool where = value.how == results::Reduction::How::kWhere;
  const std::string& metric =
      where && lcsm::has_word(known, value.metric) ? value.other : value.metric;
  return lcsm::has_word(known, metric)
             ? ""
             : "no run reports '" + metric + "'" + suggested_metric(metric, known);
}

std::string wrong_value(const std::string& name) {
  return key_index(name) >= 0 ? wrong_parameter(name) : wrong_metric(name);
}

std::string wrong_named(const std::string& name) {
  const std::string section = name.substr(0, name.find('.') + 1);
  const auto begins = [&](const auto& one) { return std::string_view(one).starts_with(section); };
  if (section.empty()) return "";
  if (std::ranges::any_of(metric_names(), begins)) return wrong_metric(name);
  const bool of_keys =
      std::ranges::any_of(kConfigKeys, [&](const auto& key) { return begins(key.name); });
  return of_keys ? wrong_parameter(name) : "";
}

bool is_only_of_points(const std::string& name) {
  return !wrong_label(name).empty() && !wrong_metric(name).empty() && task_row(name) == nullptr &&
         !results::number_in(name) && !is_known_sweep(name);
}

}  // namespace runner
