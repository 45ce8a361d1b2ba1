// The pairs of values that a claim tests: of common seeds, in each setting of ClaimSpec::over.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/store/database.h"
#include "results/tables/difference.h"
#include "results/tables/table.h"

namespace results {

// The last values of a run's training metrics. Two runs that agree in all digits were trained
// alike: they differ in a parameter without an effect on training.
using Training = std::vector<std::pair<std::string, double>>;
using Trainings = std::map<std::string, Training>;  // by run id

// Reads the training metrics of all runs of the table. A run without any gets its id instead, so it
// equals no other run.
Trainings trainings_of(const Database& database, const Table& table);

struct ClaimPairs {
  std::vector<SeedPairs> settings;  // each has pairs
  bool merged = false;              // of several columns
};

// One setting per column. Columns in which either row's runs were trained alike are no independent
// evidence: they are one setting, whose pairs are averages over them, seed by seed.
ClaimPairs claim_pairs(const Table& table, const Trainings& trainings, std::size_t a,
                       std::size_t b);

}  // namespace results
