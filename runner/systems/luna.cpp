#include "runner/systems/luna.h"

namespace runner {

lcsm::Parameters Luna::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_normal("packed", {packed, d}, lcsm::BlockTensors::Group::kMatrices, 0, 1);
  for (const char* name : {"pack_query", "pack_key", "pack_value", "query"})
    tensors.put_linear(name, d, d);
  if (bidirectional)
    for (const char* name : {"key", "value"}) tensors.put_linear(name, d, d);
  put_output(d, &tensors);
  return tensors.take();
}

void Luna::check(std::int64_t d) const { check_heads(kName, d, heads); }

// Two running sums: into the packed positions, and out of them.
lcsm::Mixing Luna::mixing(std::int64_t d, double) const {
  const double p = lcsm::real(packed), H = lcsm::real(heads), width = lcsm::real(d);
  if (bidirectional) return lcsm::pairs("attention to packed positions", width, width, 2 * p, 0);
  return {"chunked matrix products", 4 * 2 * p * width, p * (width / H * H + width)};
}

}  // namespace runner
