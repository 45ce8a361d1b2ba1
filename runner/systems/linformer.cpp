// Linformer (Wang et al. 2020): keys and values projected along time to a fixed number.
#include <array>
#include <cmath>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kLinformerOptions = {
    kHeads,
    lcsm::integer("length", "512", 1, "maximum sequence length", "project_key", 1),
    lcsm::integer("projected", "128", 1, "projected positions", "project_key", 0),
    lcsm::flag("shared", false, "one projection for keys and values"),
};

lcsm::Parameters tensors_of_linformer(const lcsm::Block& v) {
  const std::int64_t length = v.options.integer("length"), p = v.options.integer("projected");
  const double spread = 1 / std::sqrt(static_cast<double>(p));
  lcsm::BlockTensors tensors;
  put_qkv(v, &tensors);
  for (const char* name : {"project_key", "project_value"})
    if (name == std::string_view("project_key") || !v.options.flag("shared"))
      tensors.put_normal(name, {p, length}, lcsm::BlockTensors::Group::kMatrices, 0, spread);
  put_output(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kLinformer = {
    "linformer",
    "attention to projected keys and values; two-sided only (Wang et al. 2020)",
    lcsm::Lag::kCausalOnly,
    kLinformerOptions,
    tensors_of_linformer,
    check_heads};

}  // namespace runner
