// Diagonal state spaces (S4D), and what the families that contain one share: options, initial
// rates, tensors.
#pragma once

#include "ets/families/complex.h"
#include "ets/families/replay.h"
#include "lcsm/block/block.h"
#include "lcsm/block/block_tensors.h"

namespace ets {

using StepWord = lcsm::Word<"exp softplus">;
using OutputWord = lcsm::Word<"none linear glu">;
inline constexpr std::string_view kOutputHelp = "nothing, or GELU and a projection, plain or gated";

// The initial time between two inputs.
struct StepRangeOptions {
  double step_min = 0.001, step_max = 0.1;

  void describe_range(auto& option) {
    option("step_min", step_min, "the smallest initial step", {.least = 1e-9, .most = 1e3});
    option("step_max", step_max, "the largest initial step", {.least = 1e-9, .most = 1e3});
  }
};

struct StepOptions : StepRangeOptions {
  StepWord step = "exp";

  void describe_step(auto& option) { option("step", step, "what makes raw_step positive"); }
};

struct SystemsOption {
  std::int64_t systems = 0;

  void describe_systems(auto& option, std::string_view tensor = "log_decay") {
    option("systems", systems,
           "rates shared by channels: channel h has row h mod systems; 0: all their own",
           {.tensor = tensor});
  }

  // The number of rows of rates for d channels. Throws std::invalid_argument if it does not divide
  // d.
  std::int64_t systems_of(std::string_view block, std::int64_t d) const;
};

struct StartOption {
  lcsm::Word<"lin inv inv2 quad legs real"> start = "legs";

  void describe_start(auto& option) {
    option("start", start, "initial rates: -1/2 + i ..., as S4D names them; real: -1, -2, ...");
  }
};

struct AroundOptions {
  bool skip = true;
  OutputWord output = "glu";

  void describe_around(auto& option) {
    option("skip", skip, "the shortcut past the filter");
    option("output", output, kOutputHelp);
  }
  void put_around(std::int64_t d, lcsm::BlockTensors* tensors) const;
};

// `count` initial rates of S4D, by their name in the option "start".
std::vector<Complex> first_rates(std::string_view start, std::int64_t count);

// The filter's tensors: log_decay, frequency (unless real), raw_step, expand, shrink.
struct DiagonalTensors {
  std::int64_t directions = 1, channels = 0, systems = 0, modes = 0;
  std::string_view start;
  StepOptions step;
  bool real = false;   // real rates
  bool tied = true;    // one step per channel
  bool expand = true;  // a learned expand
};
void put_diagonal(const DiagonalTensors& form, lcsm::BlockTensors* tensors);

struct S4d : SystemsOption, StepOptions, StartOption, AroundOptions, ReplayOptions {
  static constexpr std::string_view kName = "s4d", kHelp = "diagonal state spaces";
  static constexpr std::int64_t kBackwardLag = 1;

  bool bidirectional = false;
  std::int64_t modes = 32;
  lcsm::Word<"complex real"> form = "complex";
  lcsm::Word<"zoh bilinear dss"> discretization = "zoh";
  bool tied = true, expand = true;

  void describe(auto& option) {
    option("bidirectional", bidirectional, "a second kernel over later steps");
    option("modes", modes, "complex modes per channel, or real ones",
           {.least = 1, .tensor = "log_decay", .axis = 1});
    describe_systems(option);
    option("form", form, "complex or real rates");
    option("discretization", discretization,
           "zero-order hold, bilinear, or DSS's softmax over the length");
    describe_step(option);
    option("tied", tied, "one step per channel; false: one per mode");
    option("expand", expand, "a learned expand; false: 1");
    describe_start(option);
    describe_range(option);
    describe_around(option);
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  std::int64_t directions() const { return bidirectional ? 2 : 1; }
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
};

}  // namespace ets
