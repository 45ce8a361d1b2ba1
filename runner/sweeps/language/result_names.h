// Checks the names of parameters and metrics in a sweep file's tables, figures and claims. Each
// check returns "" for a valid name, otherwise the error and a suggestion.
#pragma once

#include <string>
#include <vector>

namespace runner {

// Every metric that runs of any task report: "valid.ppl", "train.loss", "params" ...
std::vector<std::string> metric_names();

std::string wrong_parameter(const std::string& name);  // a key of `lcsm config`
std::string wrong_tuned(const std::string& name);      // any key but the seed
std::string wrong_label(const std::string& name);      // a key, or @KEY: its values in evaluations
std::string wrong_axis(const std::string& name);       // a key, @KEY, or "step"
std::string wrong_metric(const std::string& name);     // METRIC, METRIC@...
std::string wrong_value(const std::string& name);      // METRIC, METRIC@..., or a key
// A key or a metric, or any text that does not begin like one: a value.
std::string wrong_named(const std::string& name);

// True if a label of a table can have this text only as a value of a point: it is no key, no
// metric, no sweep, and not what evaluations after training change, a number or a task.
bool is_only_of_points(const std::string& name);

}  // namespace runner
