// The points of a sweep: merges its layers, expands its lists and resolves each point to a run.
// Contradictions and settings without effect are found here, before anything starts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runner/config/run/run_config.h"
#include "runner/sweeps/language/file.h"

namespace runner {

struct SweepRequest {
  std::string scale = std::string(kPaperScale);
  std::vector<std::string> settings = {};  // KEY=VALUE
  std::filesystem::path workspace = {};    // its data/ has the texts for the points' identities
};

// The merged layers. The last layer that sets a key decides the key's section.
struct MergedSweep {
  std::vector<Assignment> base;
  std::vector<Axis> axes;  // the first varies slowest
  std::vector<Case> whens, excludes;
  std::size_t top_whens = 0, top_excludes = 0;  // cases of the last layer, which come last
};
MergedSweep merge_layers(const std::vector<const Layer*>& layers);

// A point: one run of the sweep.
struct Point {
  std::string id;
  std::vector<std::uint32_t> steps;  // index into each axis
};

struct Expansion {
  std::vector<Axis> axes;
  std::vector<Point> points;
  std::size_t crossed = 0, excluded = 0;  // the rest of `crossed` duplicate other points' runs
  std::vector<std::string> notes;         // possible mistakes
};

inline constexpr std::size_t kMostPoints = 100000;

// Throws ConfigError with every mistake. Calls `visit` once for each run, in order.
using VisitPoint = std::function<void(const Point& point, const RunConfig& config)>;
Expansion expand(const SweepFile& sweep, const SweepRequest& request, const VisitPoint& visit);

// "model.code = 1-1-1-0, seed = 2": the values of a point on the axes.
std::string describe_point(const std::vector<Axis>& axes, const std::vector<std::uint32_t>& steps);

}  // namespace runner
