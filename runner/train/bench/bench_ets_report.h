// The output of `bench ets`: a table for people, JSON (schema lcsm-train.bench-ets/1) for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runner/train/bench/bench_ets_case.h"
#include "runner/train/bench/bench_setting.h"

namespace runner {

// ----- What bounds a pass -----
// x is read and y written once forward; x and d_y read and d_x written once more backward. The time
// that these bytes take at the measured copies, or the operations at the measured products: the
// larger one is what the machine cannot beat.
struct EtsBound {
  double seconds = 0;
  bool by_copies = true;  // false: by products
};
EtsBound bound_of(const BenchSetting& setting, const EtsResult& result, bool backward);

// ----- Table: at most 100 columns wide -----
std::string ets_shape_heading(const EtsShape& shape);
std::string ets_table_rows(const BenchSetting& setting, const EtsResult& result);

// ----- JSON -----
// case, what, machine, why, shape; bound of each pass: by copies or products, the seconds that they
// take at the ceilings, their share of our best time; contestants as bench_eos_report.h.
nlohmann::ordered_json ets_result_json(const BenchSetting& setting, const EtsResult& result);

}  // namespace runner
