// Maps numbers, from low to high, to colors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace results {

struct Rgb {
  int red = 0, green = 0, blue = 0;
};

// viridis: evenly spaced to the eye, also without color and with the common kinds of color
// blindness.
inline constexpr std::array kScale = {
    Rgb{0x44, 0x01, 0x54}, Rgb{0x47, 0x2d, 0x7b}, Rgb{0x3b, 0x52, 0x8b},
    Rgb{0x2c, 0x72, 0x8e}, Rgb{0x21, 0x91, 0x8c}, Rgb{0x28, 0xae, 0x80},
    Rgb{0x5e, 0xc9, 0x62}, Rgb{0xad, 0xdc, 0x30}, Rgb{0xfd, 0xe7, 0x25}};

// The color of a filled area at a part from 0 to 1.
inline Rgb scale_colour(double part) {
  const double place = std::clamp(part, 0.0, 1.0) * (kScale.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
  const double rest = place - static_cast<double>(below);
  const auto between = [&](int low, int high) {
    return static_cast<int>(std::lround(low + (high - low) * rest));
  };
  const Rgb &a = kScale[below], &b = kScale[below + 1];
  return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue)};
}

// The color of a line. Leaves out the ends of the scale, which vanish on a dark or on a white
// page.
inline Rgb line_colour(double part) {
  return scale_colour(0.25 + 0.5 * std::clamp(part, 0.0, 1.0));
}

// Relative luminance (WCAG 2): 0 is black, 1 is white.
inline double luminance(const Rgb& colour) {
  const auto linear = [](int value) {
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

// True if white is more legible on the color than black.
inline bool is_dark(const Rgb& colour) { return luminance(colour) < 0.179; }

}  // namespace results
