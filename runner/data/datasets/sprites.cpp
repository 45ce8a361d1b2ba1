#include "runner/data/datasets/sprites.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace runner {
namespace {

using Bytes = std::vector<unsigned char>;

double sinc(double x) {
  if (x == 0) return 1;
  const double angle = std::numbers::pi * x;
  return std::sin(angle) / angle;
}

// std::hypot would need glibc 2.35.
double norm(double y, double x) { return std::sqrt(y * y + x * x); }

double kernel(double x) { return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0; }

// The pixels that make one smaller pixel, and their weights.
struct Taps {
  int first = 0;
  std::vector<double> weights;
};

std::vector<Taps> taps_of(int from, int to) {
  const double scale = static_cast<double>(from) / to, support = 3 * scale;
  std::vector<Taps> all;
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    Taps taps{std::max(0, static_cast<int>(centre - support + 0.5)), {}};
    const int end = std::min(from, static_cast<int>(centre + support + 0.5));
    double sum = 0;
    for (int j = taps.first; j < end; ++j) {
      taps.weights.push_back(kernel((j - centre + 0.5) / scale));
      sum += taps.weights.back();
    }
    for (double& weight : taps.weights) weight /= sum;
    all.push_back(std::move(taps));
  }
  return all;
}

// Shrinks rows; the result is transposed, so that two calls do both directions.
Bytes shorter_rows(const Bytes& picture, int rows, int from, const std::vector<Taps>& taps) {
  Bytes made(static_cast<std::size_t>(rows) * taps.size());
  for (int row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < taps.size(); ++i) {
      double sum = 0.5;
      for (std::size_t j = 0; j < taps[i].weights.size(); ++j)
        sum +=
            taps[i].weights[j] * picture[static_cast<std::size_t>(row * from + taps[i].first) + j];
      made[i * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)] =
          static_cast<unsigned char>(std::clamp(sum, 0.0, 255.0));
    }
  return made;
}

Sprite smaller(const Bytes& picture, int side, int reach) {
  Sprite sprite{reach, {}};
  for (const unsigned char byte : lanczos(picture, side, sprite.side()))
    sprite.values.push_back(static_cast<float>(byte) / 255);
  return sprite;
}

// All pixels of a square whose center is within `radius` of a pixel that is set.
Bytes dilated(const Bytes& picture, int side, int radius) {
  Bytes made(picture.size());
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      if (picture[static_cast<std::size_t>(y * side + x)] == 0) continue;
      for (int v = std::max(0, y - radius); v <= std::min(side - 1, y + radius); ++v)
        for (int u = std::max(0, x - radius); u <= std::min(side - 1, x + radius); ++u)
          if ((v - y) * (v - y) + (u - x) * (u - x) <= radius * radius)
            made[static_cast<std::size_t>(v * side + u)] = 255;
    }
  return made;
}

}  // namespace

Direction direction_of(int degrees) {
  degrees = (degrees % 360 + 360) % 360;
  if (degrees % 90 == 0) {
    constexpr double kSines[] = {0, 1, 0, -1};
    return {kSines[degrees / 90], kSines[(degrees / 90 + 1) % 4]};
  }
  const double angle = degrees * std::numbers::pi / 180;
  return {std::sin(angle), std::cos(angle)};
}

Pixel translate(Pixel from, int degrees, double distance) {
  const Direction way = direction_of(degrees);
  return {static_cast<int>(std::ceil(from.y + distance * way.y)),
          static_cast<int>(std::ceil(from.x + distance * way.x))};
}

std::vector<unsigned char> lanczos(const Bytes& picture, int from, int to) {
  const std::vector<Taps> taps = taps_of(from, to);
  return shorter_rows(shorter_rows(picture, from, from, taps), to, from, taps);
}

// A pixel belongs to the line if its center is within half the line's width.
Stroke draw_stroke(int degrees, int length, double thickness, int margin, int scale) {
  const int reach = length + static_cast<int>(std::ceil(thickness)) + margin;
  const int centre = reach * scale, side = 2 * centre + 1;
  const Pixel end = translate({0, 0}, degrees, length * scale);
  const double width = std::round(thickness * scale), steps = 4.0 * length * scale;
  Bytes line(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (int i = 0; i <= static_cast<int>(steps); ++i) {
    const double y = centre + end.y * i / steps, x = centre + end.x * i / steps;
    const int around = static_cast<int>(width);
    for (int v = static_cast<int>(y) - around; v <= static_cast<int>(y) + around + 1; ++v)
      for (int u = static_cast<int>(x) - around; u <= static_cast<int>(x) + around + 1; ++u)
        if (norm(v - y, u - x) <= width / 2 + 1e-6)
          line[static_cast<std::size_t>(std::clamp(v, 0, side - 1) * side +
                                        std::clamp(u, 0, side - 1))] = 255;
  }
  return {smaller(line, side, reach), smaller(dilated(line, side, margin * scale), side, reach)};
}

Sprite draw_disc(double radius, int scale) {
  const int reach = static_cast<int>(std::ceil(radius)) + 1;
  const int centre = reach * scale, side = 2 * centre + 1;
  Bytes disc(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      if (norm(y - centre, x - centre) <= radius * scale)
        disc[static_cast<std::size_t>(y * side + x)] = 255;
  return smaller(disc, side, reach);
}

}  // namespace runner
