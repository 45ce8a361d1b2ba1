// A sum of modes of random numbers, run by its kernels through the judge, and by the definition in
// plain loops in float64.
#pragma once

#include <string>

#include "lcsm/cuda/modes/modes_calls.h"
#include "tests/lcsm/cuda/driver/judged_device.h"
#include "tests/lcsm/cuda/driver/mutations.h"

namespace lcsm::test {

// One direction from the first step or from the last, or one of each.
enum class Ways { kForward, kBack, kBoth };

struct ModesShape {
  int B = 2, T = 1, D = 5, N = 1;
  Ways ways = Ways::kForward;
  bool is_complex = false, late = false;  // late: the last direction is
  bool bfloat16 = false, first = false, shortcut = false, padding = false;
  int processors = 1;  // many: time is split
  double decay = 0.1;  // the mean of -log |q|
};
std::string name_of(const ModesShape& shape);
// The kernels that the build compiles for the shape: "modes" or "products".
std::string kernels_of(const ModesShape& shape);

// "x", "d_y", "shortcut", "padding", and of each direction "q 0", "c 0", and where the case
// continues "u 0" and "d_u 0", complex ones as pairs.
Named random_modes(const ModesShape& shape, std::uint64_t seed);
// "y", "last 0", "d x", "d q 0", "d c 0", "d u 0", "d shortcut".
Named by_definition(const ModesShape& shape, const Named& inputs);
Judged by_judge(const ModesShape& shape, const Named& inputs, const Kernels& kernels, int orders,
                const ptx::Options& options = {});

// Runs the build's kernels for the shape. Expects no finding, and values within rounding of the
// definition's. Float32: rounding of sums and of powers of q. Bfloat16: rounding of operands, y and
// d_x.
Judged expect_right(const ModesShape& shape, int orders = 1, const ptx::Options& options = {});
// True if LCSM_FUZZ requests more cases and figures.

// Cases of one kind of modes and type, by kernels "MODES" or "PRODUCTS"; each ends after `limit`
// instructions.
Trial trial_of(const std::string& kernels, std::vector<ModesShape> shapes, std::uint64_t limit);

}  // namespace lcsm::test
