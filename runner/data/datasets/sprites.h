// The strokes and discs of Pathfinder's pictures: drawn on a finer grid, made smaller with a
// Lanczos filter, as PIL does it. A sprite is drawn once for each direction.
#pragma once

#include <vector>

namespace runner {

// A square of brightness from 0 to 1 about a centre.
struct Sprite {
  int reach = 0;  // pixels from the centre to each side
  std::vector<float> values;

  int side() const { return 2 * reach + 1; }
  float at(int y, int x) const {  // relative to the centre
    return values[static_cast<std::size_t>((y + reach) * side() + x + reach)];
  }
};

struct Pixel {
  int y = 0, x = 0;
  bool operator==(const Pixel&) const = default;
};

// Sine and cosine of whole degrees, exact at multiples of 90.
struct Direction {
  double y = 0, x = 0;
};
Direction direction_of(int degrees);

// `distance` from `from`, coordinates rounded up, as the official generator does.
Pixel translate(Pixel from, int degrees, double distance);

// A stroke from the centre in a direction, and the place that it takes: itself with `margin` pixels
// around.
struct Stroke {
  Sprite image, mask;
};
Stroke draw_stroke(int degrees, int length, double thickness, int margin, int scale);

Sprite draw_disc(double radius, int scale);

// A square picture of bytes, made smaller with rounding after each of its two directions.
std::vector<unsigned char> lanczos(const std::vector<unsigned char>& picture, int from, int to);

}  // namespace runner
