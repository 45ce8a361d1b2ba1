#include "runner/models/skeletons/carried.h"

#include <ATen/ops/cat.h>

#include <algorithm>
#include <string_view>

namespace runner {
namespace {

constexpr std::string_view kCarried = "carried.";

}  // namespace

bool can_go_on(const Carried& carried) {
  const auto mixers = carried.begin() + std::ssize(carried) / 2;
  return !carried.empty() &&
         std::all_of(carried.begin(), mixers, [](const auto& mixer) { return !mixer.empty(); });
}

Carried rows_of(const Carried& all, std::int64_t first, std::int64_t count) {
  Carried rows = all;
  for (lcsm::BlockState& layer : rows)
    for (auto& [name, tensor] : layer) tensor = tensor.narrow(0, first, count);
  return rows;
}

Carried joined(const std::vector<Carried>& parts) {
  if (parts.empty()) return {};
  Carried all = parts.front();
  if (parts.size() == 1) return all;
  for (std::size_t n = 0; n < all.size(); ++n)
    for (auto& [name, tensor] : all[n]) {
      std::vector<at::Tensor> rows;
      for (const Carried& part : parts) rows.push_back(part[n].at(name));
      tensor = at::cat(rows, 0);
    }
  return all;
}

std::map<std::string, at::Tensor> tensors_of(const Carried& carried) {
  std::map<std::string, at::Tensor> tensors;
  for (std::size_t n = 0; n < carried.size(); ++n)
    for (const auto& [name, tensor] : carried[n])
      tensors[std::string(kCarried) + std::to_string(n) + "." + name] = tensor;
  return tensors;
}

Carried carried_in(const std::map<std::string, at::Tensor>& tensors, at::Device device) {
  Carried carried;
  for (const auto& [name, tensor] : tensors) {
    if (!name.starts_with(kCarried)) continue;
    const std::size_t dot = name.find('.', kCarried.size());
    const std::size_t layer = std::stoul(name.substr(kCarried.size(), dot - kCarried.size()));
    if (carried.size() <= layer) carried.resize(layer + 1);
    carried[layer][name.substr(dot + 1)] = tensor.to(device);
  }
  return carried;
}

}  // namespace runner
