// From a run's curve to one number, in SQL.
#pragma once

#include <string>

#include "results/events/event.h"
#include "results/store/database.h"
#include "results/tables/table.h"

namespace results {

// SELECT run, value of the runs that have the metric and meet the condition `scope` on run and ?1.
std::string select_value(const Reduction& reduction, const std::string& scope);

// All parameters of that statement but the first.
void bind_value(const Reduction& reduction, Statement* select);

// A parameter as the tables of results.db show it.
std::string text_of(const Database& database, const Value& value);

}  // namespace results
