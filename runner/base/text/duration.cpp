#include "runner/base/text/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace runner {
namespace {

struct Unit {
  std::string_view letter, shown;
  double seconds;
};
constexpr std::array kUnits = {Unit{"d", "d", 86400}, Unit{"h", "h", 3600}, Unit{"m", "min", 60},
                               Unit{"s", "s", 1}};

}  // namespace

double seconds_of(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const bool good = error == std::errc{} && number >= 0 && std::isfinite(number);
  if (good && unit.empty()) return number;
  for (const Unit& each : kUnits)
    if (good && unit == each.letter) return number * each.seconds;
  throw std::invalid_argument("expected a duration such as 90s, 15m, 1.5h or 2d, got '" + text +
                              "'");
}

std::string exact_duration(double seconds) {
  for (const Unit& unit : kUnits)
    if (seconds > 0 && std::fmod(seconds, unit.seconds) == 0)
      return fmt::format("{} {}", seconds / unit.seconds, unit.shown);
  return fmt::format("{} s", seconds);
}

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string size_text(double bytes) {
  if (bytes < 1e9) return fmt::format("{:.0f} MB", bytes / 1e6);
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace runner
