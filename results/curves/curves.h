// The curves of runs, step by step, for other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/events/event.h"
#include "results/store/database.h"
#include "results/text/grid.h"

namespace results {

struct CurvePoint {
  std::int64_t step = 0;
  double time = 0;                                     // seconds since 1970
  std::vector<std::pair<std::string, double>> values;  // by metric; may be NaN or infinite
};

struct RunCurves {
  std::string id;
  Values parameters;
  double started = 0, ended = 0;   // when its first and its last line were written
  std::optional<RunState> end;     // how the last attempt ended; nullopt: it has not
  std::vector<CurvePoint> points;  // points that count, in the order of the file
};

// Reads a run's event file, since results.db has neither times nor NaN. Throws EventError,
// std::system_error.
RunCurves read_curves(const std::filesystem::path& folder);

// The parameters in which these runs differ, sorted. A parameter that only some runs have differs.
std::vector<std::string> varying_parameters(Database& database,
                                            const std::vector<std::string>& ids);

// One row per value: id, the varying parameters, metric, step, value, time.
Grid curve_rows(const RunCurves& run, const std::vector<std::string>& parameters);

// A folder name from a run's varying parameters and the start of its id: "optim.lr=0.003, seed=2,
// 3f9c0a12".
std::string folder_name(const RunCurves& run, const std::vector<std::string>& parameters);

}  // namespace results
