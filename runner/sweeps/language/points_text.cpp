#include "runner/sweeps/language/points.h"

namespace runner {

std::string describe_point(const std::vector<Axis>& axes, const std::vector<std::uint32_t>& steps) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (const Assignment& each : axes[i].steps[steps[i]])
      text += (text.empty() ? "" : ", ") +
              std::string(kConfigKeys[static_cast<std::size_t>(each.key)].name) + " = " +
              value_text(*each.value);
  return text.empty() ? "the only point" : text;
}

}  // namespace runner
