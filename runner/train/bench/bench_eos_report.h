// The output of `bench eos`: a table for people, JSON (schema lcsm-train.bench-eos/2) for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runner/train/bench/bench_eos_case.h"
#include "runner/train/bench/bench_setting.h"

namespace runner {

// ----- Rates -----
// The nominal work of a pass, equal for every contestant: 4 k d operations per token forward and 12
// k d more backward; the bytes of the op's data inputs and output, twice with gradients.
struct BenchRates {
  double gflops = 0, gbps = 0;              // of our best time
  double gflops_share = 0, gbps_share = 0;  // of the ceilings
};
BenchRates rates_of(const BenchSetting& setting, const BenchResult& result,
                    const lcsm::Variant& variant, bool backward);

// ----- Table: at most 100 columns wide for codes of up to 11 characters -----
std::string shape_heading(const BenchShape& shape, std::size_t code_width);
std::string table_rows(const BenchSetting& setting, const BenchResult& result,
                       const lcsm::Variant& variant, std::size_t code_width);

// ----- JSON -----
// code, plan, shape, input_output_bytes; forward, forward_backward: our rates, with their shares of
// the ceilings; contestants, ours first: name, and refused with the reason, or forward and
// forward_backward in seconds (best, median, repeats), peak_bytes beyond the inputs, difference,
// the largest relative one from ours.
nlohmann::ordered_json result_json(const BenchSetting& setting, const BenchResult& result,
                                   const lcsm::Variant& variant);

}  // namespace runner
