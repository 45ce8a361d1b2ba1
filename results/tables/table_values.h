// Reduces a run's curve to one number, in SQL.
#pragma once

#include <string>

#include "results/events/event.h"
#include "results/store/database.h"
#include "results/tables/table.h"

namespace results {

// SELECT run, value for the runs that have the metric and meet `scope`, a condition on run and ?1.
std::string select_value(const Reduction& reduction, const std::string& scope);

// Binds all parameters of that statement but the first.
void bind_value(const Reduction& reduction, Statement* select);

// A parameter as results.db shows it.
std::string text_of(const Database& database, const Value& value);

}  // namespace results
