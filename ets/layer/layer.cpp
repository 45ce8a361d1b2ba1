#include "ets/layer/layer.h"

#include <stdexcept>

#include "ets/families/family.h"
#include "ets/kernels/vandermonde.h"
#include "ets/layer/filter_forward.h"

namespace ets {

using at::Tensor;

Filter filter_of(const lcsm::Block& block, const lcsm::Weights& weights, std::int64_t T, bool dense,
                 const lcsm::GpuOrCpu& gpu) {
  Filter filter;
  bool has_one = false;
  Families::visit(block, [&](const auto& family) {
    if constexpr (requires { family.filter(weights, T, gpu); }) {
      filter = filter_of(family, weights, T, dense, gpu);
      has_one = true;
    }
  });
  if (!has_one)
    throw std::invalid_argument(
        std::string(block.row->name) +
        ": expected a family that is one filter, such as s4d, got a layer of several parts, which "
        "has no kernel");
  return filter;
}

lcsm::BlockResult layer_forward(const lcsm::Block& block, const lcsm::Weights& given,
                                const Tensor& given_x, const lcsm::BlockContext& given_context,
                                FilterMachine machine) {
  FilterContext context{given_context, machine};
  if (context.backend == lcsm::Backend::kReference) context.machine = FilterMachine::kReference;
  if (machine == FilterMachine::kReference) context.backend = lcsm::Backend::kReference;
  const at::ScalarType dtype = given_x.scalar_type();
  const at::ScalarType wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
  const Tensor x = given_x.to(wide);
  lcsm::Weights weights;
  for (const auto& [name, tensor] : given) weights[name] = tensor.to(wide);
  lcsm::BlockResult result;
  const bool known = Families::visit(block, [&](const auto& family) {
    if constexpr (requires { family.forward(weights, x, context); })
      result = family.forward(weights, x, context);
    else
      result = filter_forward(family, weights, x, context);
  });
  if (!known) throw std::logic_error(std::string(block.row->name) + " is no family of ets");
  result.output = result.output.to(dtype);
  return result;
}

Tensor layer_kernel(const lcsm::Block& block, const lcsm::Weights& weights, std::int64_t T,
                    const On& on) {
  const bool dense = on.machine == FilterMachine::kReference;
  const Filter filter = filter_of(block, weights, T, dense, on.gpu);
  return dense ? taps_of(filter, T) : fast_taps_of(filter, T, on.gpu);
}

}  // namespace ets
