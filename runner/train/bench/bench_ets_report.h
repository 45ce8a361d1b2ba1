// The output of `bench ets`: a table for people, JSON (schema lcsm-train.bench-ets/1) for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runner/train/bench/bench_ets_case.h"
#include "runner/train/bench/bench_setting.h"

namespace runner {

// ----- What bounds a pass -----
// The lower bound of a pass's time: the larger of its bytes at the measured copy rate and its
// operations at the measured product rate. Forward reads x and writes y; backward also reads x and
// d_y and writes d_x.
struct EtsBound {
  double seconds = 0;
  bool by_copies = true;  // false: by products
};
EtsBound bound_of(const BenchSetting& setting, const EtsResult& result, bool backward);

// ----- Table: at most 100 columns wide -----
std::string ets_shape_heading(const EtsShape& shape);
std::string ets_table_rows(const BenchSetting& setting, const EtsResult& result);

// ----- JSON -----
// case, what, machine, why, shape; the bound of each pass: "copies" or "products", its seconds, its
// share of our best time; contestants as in bench_eos_report.h.
nlohmann::ordered_json ets_result_json(const BenchSetting& setting, const EtsResult& result);

}  // namespace runner
