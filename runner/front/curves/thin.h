// Thins out curves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace runner {

struct CurvePoint {
  std::int64_t step = 0;
  double value = 0;  // may be NaN or infinite
  bool operator==(const CurvePoint&) const = default;
};

// Keeps at most `most` (4 or more) points in order: the first, the last and, from each part between
// them, the lowest, the highest and, if there is one, the first that is not finite.
std::vector<CurvePoint> thinned(std::vector<CurvePoint> points, std::size_t most);

}  // namespace runner
