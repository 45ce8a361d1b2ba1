#include "runner/systems/linformer.h"

#include <cmath>

#include "runner/systems/attention.h"

namespace runner {

lcsm::Parameters Linformer::tensors(std::int64_t d) const {
  const double spread = 1 / std::sqrt(static_cast<double>(projected));
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  for (const char* name : {"project_key", "project_value"})
    if (name == std::string_view("project_key") || !shared)
      tensors.put_normal(name, {projected, length}, lcsm::BlockTensors::Group::kMatrices, 0,
                         spread);
  put_output(d, &tensors);
  return tensors.take();
}

void Linformer::check(std::int64_t d) const { check_heads(kName, d, heads); }

lcsm::Mixing Linformer::mixing(std::int64_t d, double) const {
  const double width = lcsm::real(d);
  return lcsm::pairs("attention over projected steps", width, width, lcsm::real(projected), 0);
}

}  // namespace runner
