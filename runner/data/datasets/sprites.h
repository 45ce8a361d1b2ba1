// Draws the strokes and discs of Pathfinder's pictures on a finer grid and shrinks them with a
// Lanczos filter, as PIL does. Each sprite is drawn once per direction.
#pragma once

#include <vector>

namespace runner {

// A square of brightness from 0 to 1 about a center.
struct Sprite {
  int reach = 0;  // pixels from the center to each side
  std::vector<float> values;

  int side() const { return 2 * reach + 1; }
  float at(int y, int x) const {  // relative to the center
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

// A stroke from the center in a direction, and the pixels it occupies: the stroke and a margin of
// `margin` pixels.
struct Stroke {
  Sprite image, mask;
};
Stroke draw_stroke(int degrees, int length, double thickness, int margin, int scale);

Sprite draw_disc(double radius, int scale);

// Shrinks a square picture of bytes, with rounding after each of the two directions.
std::vector<unsigned char> lanczos(const std::vector<unsigned char>& picture, int from, int to);

}  // namespace runner
