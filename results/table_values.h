// From a run's curve to one number, in SQL.
#pragma once

#include <string>

#include "results/database.h"
#include "results/event.h"
#include "results/table.h"

namespace results {

// SELECT run, value of the runs of sweep ?1 (all where it is empty) that have the metric.
std::string select_value(const Reduction& reduction);

// All parameters of that statement but the sweep.
void bind_value(const Reduction& reduction, Statement* select);

// A parameter as the tables of results.db show it.
std::string text_of(const Database& database, const Value& value);

}  // namespace results
