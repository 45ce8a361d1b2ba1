// Shared by the benches: options, ceilings, and the formats of times.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lcsm/base/allowance.h"
#include "lcsm/measure/ceilings.h"
#include "runner/base/cli/verb.h"
#include "runner/train/bench/contest.h"

namespace runner {

struct BenchOptions {
  int threads = lcsm::read_allowance().cores();
  std::string dtype = "fp32", device = "cpu";
  double budget = 2;
  bool json = false;

  // Adds --threads, --dtype if there is a choice, --device and --budget.
  void describe(Verb& verb, const std::vector<Candidate>& dtypes, const std::string& budget_help);
};

struct BenchSetting {
  std::string dtype;  // "fp32"
  int threads = 1;
  double budget = 1;
  std::vector<lcsm::Rate> ceilings;
  ComputeDevice device = {};
};

// "cpu" or "cuda", the first GPU. Caches compiled kernels in the folder for temporary files. Throws
// Failure if there is no GPU.
ComputeDevice bench_device(const std::string& device);

// Sets the threads and measures the ceilings of the device, briefly if the budget is below half a
// second. Throws std::invalid_argument for a type that GPU kernels do not support.
BenchSetting bench_setting(const BenchOptions& options);

// "8,512,128,32" for the sizes "B,T,D,K"; throws std::invalid_argument with the example.
std::vector<std::int64_t> parse_sizes(const std::string& text, const std::string& sizes,
                                      const std::string& example);

at::ScalarType type_of(const std::string& dtype);

// A count of 0 was not measured: "", null.
std::string peak_ratio_text(std::int64_t peak, double bytes);  // "3.1x"
nlohmann::ordered_json peak_json(std::int64_t peak);

// The largest of the ceilings.
double most_gflops(const BenchSetting& setting);
double most_gbps(const BenchSetting& setting);

double best(const lcsm::Seconds& times);
std::size_t median_at(const lcsm::Seconds& times);
double median(const lcsm::Seconds& times);
nlohmann::ordered_json times_json(const lcsm::Seconds& times);
const lcsm::Seconds& times(const Contestant& contestant, bool backward);

// "12.3x" or "1.52x": the time of theirs relative to ours; "-" if it was not run.
std::string ratio_text(const Contestant& ours, const Contestant& theirs, bool backward);

// "EPYC, fp32, 2 threads; peak 250 GFLOP/s (products), 30 GB/s (copies)"
std::string heading(const BenchSetting& setting);

nlohmann::ordered_json setting_json(const BenchSetting& setting, const std::string& schema);
nlohmann::ordered_json contestant_json(const Contestant& contestant);

}  // namespace runner
