#include "runner/cluster/slurm/array_split.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>

namespace runner {

std::int64_t max_array_size(std::string_view config) {
  constexpr std::string_view kKey = "MaxArraySize";
  while (!config.empty()) {
    std::string_view line = config.substr(0, config.find('\n'));
    config.remove_prefix(std::min(config.size(), line.size() + 1));
    if (!line.starts_with(kKey)) continue;
    line.remove_prefix(std::min(line.find_first_not_of(" =", kKey.size()), line.size()));
    std::int64_t size = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), size);
    const std::string_view after(rest, static_cast<std::size_t>(line.data() + line.size() - rest));
    if (error == std::errc{} && size >= 0 && after.find_first_not_of(" \r") == after.npos)
      return size;
    throw std::runtime_error("expected a number as MaxArraySize of 'scontrol show config', got '" +
                             std::string(line) + "'");
  }
  throw std::runtime_error(
      "'scontrol show config' names no MaxArraySize: check that slurmctld responds");
}

std::vector<std::int64_t> array_sizes(std::int64_t elements, std::int64_t max_array_size) {
  if (max_array_size < 2)
    throw std::invalid_argument("this cluster accepts no job arrays (MaxArraySize is " +
                                std::to_string(max_array_size) +
                                "): ask its administrators to raise MaxArraySize");
  const std::int64_t arrays = (elements + max_array_size - 1) / max_array_size;
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < arrays; ++i)
    sizes.push_back(elements / arrays + (i < elements % arrays ? 1 : 0));
  return sizes;
}

}  // namespace runner
