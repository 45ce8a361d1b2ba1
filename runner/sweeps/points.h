// The points of a sweep: its layers laid upon each other, its lists crossed and walked, each point
// resolved to a run. What contradicts itself or does nothing is found here, before anything starts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runner/config/run_config.h"
#include "runner/sweeps/file.h"

namespace runner {

struct SweepRequest {
  std::string scale = std::string(kPaperScale);
  std::vector<std::string> settings = {};  // KEY=VALUE
  std::filesystem::path workspace = {};  // whose data/ has the texts that a point's identity needs
};

// The layers as one: a key is where the last layer that names it has put it.
struct MergedSweep {
  std::vector<Assignment> base;
  std::vector<Axis> axes;  // the first varies slowest
  std::vector<Case> whens, excludes;
  std::size_t own_whens = 0, own_excludes = 0;  // of the uppermost layer, the last ones
};
MergedSweep merge_layers(const std::vector<const Layer*>& layers);

// One run.
struct Point {
  std::string id;
  std::vector<std::uint32_t> steps;  // which of each axis
};

struct Expansion {
  std::vector<Axis> axes;
  std::vector<Point> points;
  std::size_t crossed = 0, excluded = 0;  // the rest of `crossed` are the same runs as others
  std::vector<std::string> notes;         // what may not be meant
};

inline constexpr std::size_t kMostPoints = 100000;

// Throws ConfigError with every mistake. `visit` sees each run once, in order.
using VisitPoint = std::function<void(const Point& point, const RunConfig& config)>;
Expansion expand(const SweepFile& sweep, const SweepRequest& request, const VisitPoint& visit);

// "model.code = 1-1-1-0, seed = 2": where a point stands on the axes.
std::string describe_point(const std::vector<Axis>& axes, const std::vector<std::uint32_t>& steps);

}  // namespace runner
