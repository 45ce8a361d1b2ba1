#include "lcsm/tensors/norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <functional>

#include "lcsm/cpu/step/norm_cpu.h"
#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/norm_calls.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "lcsm/tensors/shares.h"
#include "lcsm/tensors/workspace.h"

namespace lcsm {
namespace {

using at::Tensor;

// Inputs x and, if given, residual, weight, bias; results the norm and, with a residual, the sum;
// kept for backward: scale and mean of each row.
struct NormOnGpu : Operation {
  std::shared_ptr<Gpu> gpu;
  Tensor weight, bias;
  bool centered = true, has_residual = false;
  at::ScalarType x_type = at::kFloat, y_type = at::kFloat;

  NormWork work_of(const Tensor& s) const {
    NormWork work{.bfloat16_x = x_type == at::kBFloat16, .bfloat16_y = y_type == at::kBFloat16};
    work.processors = gpu->processors();
    NormCuda& norm = work.norm;
    norm.d = static_cast<int>(s.size(-1));
    norm.rows = s.numel() / norm.d;
    norm.eps = static_cast<float>(kNormEpsilon);
    norm.centered = centered;
    norm.weight = data<float>(weight);
    norm.bias = data<float>(bias);
    return work;
  }
  static void keep(const Tensor& statistics, NormCuda* norm) {
    norm->scale = data<float>(statistics);
    if (norm->centered) norm->mean = norm->scale + norm->rows;
  }

  Tensors forward(const Tensors& inputs) const override {
    const Tensor x = inputs[0].contiguous();
    NormWork work = work_of(x);
    NormCuda& norm = work.norm;
    const at::TensorOptions floats = x.options().dtype(at::kFloat);
    const Tensor residual = has_residual ? inputs[1].contiguous() : Tensor(),
                 sum = has_residual ? at::empty(x.sizes(), floats) : Tensor(),
                 y = at::empty(x.sizes(), x.options().dtype(y_type)),
                 statistics = at::empty({centered ? 2 : 1, norm.rows}, floats);
    norm.x = numbers(x);
    norm.residual = data<float>(residual);
    norm.sum = data<float>(sum);
    norm.y = numbers(y);
    keep(statistics, &norm);
    gpu->run(norm_source(work), "a norm", norm_forward_calls(work));
    return has_residual ? Tensors{y, sum, statistics} : Tensors{y, statistics};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs, const Tensors& d) const override {
    const Tensor s = has_residual ? outputs[1] : inputs[0].contiguous(),
                 d_y = d[0].defined() ? d[0].contiguous() : at::zeros_like(outputs[0]),
                 d_sum = has_residual && d[1].defined() ? d[1].contiguous() : Tensor();
    NormWork work = work_of(s);
    NormCuda& norm = work.norm;
    const at::TensorOptions floats = s.options().dtype(at::kFloat);
    const auto like = [&](bool wanted, const Tensor& tensor, at::ScalarType type) {
      return wanted ? at::empty(tensor.sizes(), floats.dtype(type)) : Tensor();
    };
    // If x is float32, its gradient equals the residual's.
    const bool rounds = !has_residual || x_type != at::kFloat;
    const Tensor d_residual = like(has_residual, s, at::kFloat), d_x = like(rounds, s, x_type),
                 d_weight = like(weight.defined(), weight, at::kFloat),
                 d_bias = like(bias.defined(), bias, at::kFloat);
    norm.x = has_residual ? nullptr : numbers(s);
    norm.sum = has_residual ? data<float>(s) : nullptr;
    keep(outputs.back(), &norm);
    norm.d_y = numbers(d_y);
    norm.d_sum = data<float>(d_sum);
    norm.d_x = numbers(d_x);
    norm.d_residual = data<float>(d_residual);
    work.d_weight = data<float>(d_weight);
    work.d_bias = data<float>(d_bias);
    Workspace space(s);
    gpu->run(norm_source(work), "a norm", norm_backward_calls(work, space.allocate()));
    Tensors result{rounds ? d_x : d_residual};
    if (has_residual) result.push_back(d_residual);
    if (weight.defined()) result.push_back(d_weight);
    if (bias.defined()) result.push_back(d_bias);
    return result;
  }
};

// Inputs and results as in NormOnGpu, all float32.
struct NormOnCpu : Operation {
  Tensor weight, bias;
  bool centered = true, has_residual = false;

  // Rows are cut into the same parts whatever the number of threads, so that sums over rows are
  // reproducible.
  template <class Work>
  void each_part(const Tensor& s, double flops_per_number, const Work& work) const {
    const std::int64_t d = s.size(-1), rows = s.numel() / d, parts = parts_of(s);
    const double flops = flops_per_number * static_cast<double>(s.numel());
    each_sequence(parts, flops, [&](std::int64_t part, const Share&) {
      const std::int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
      NormRows norm{.rows = last - first, .d = d, .centered = centered};
      norm.eps = static_cast<float>(kNormEpsilon);
      norm.weight = data<float>(weight);
      norm.bias = data<float>(bias);
      work(norm, part, first);
    });
  }
  static std::int64_t parts_of(const Tensor& s) {
    constexpr std::int64_t kRows = 64, kParts = 64;
    return std::clamp(s.numel() / s.size(-1) / kRows, std::int64_t{1}, kParts);
  }
  // statistics: [2, rows] or [1, rows]: scale, then mean.
  void keep(const Tensor& statistics, std::int64_t first, NormRows* norm) const {
    norm->scale = data<float>(statistics) + first;
    if (centered) norm->mean = norm->scale + statistics.size(1);
  }

  Tensors forward(const Tensors& inputs) const override {
    const Tensor x = inputs[0].contiguous(),
                 residual = has_residual ? inputs[1].contiguous() : Tensor(),
                 sum = has_residual ? at::empty_like(x) : Tensor(), y = at::empty_like(x),
                 statistics = at::empty({centered ? 2 : 1, x.numel() / x.size(-1)}, x.options());
    each_part(x, 8, [&](NormRows norm, std::int64_t, std::int64_t first) {
      const std::int64_t at = first * norm.d;
      norm.x = data<float>(x) + at;
      if (has_residual) norm.residual = data<float>(residual) + at;
      if (has_residual) norm.sum = data<float>(sum) + at;
      norm.y = data<float>(y) + at;
      keep(statistics, first, &norm);
      norm_kernels().forward(norm);
    });
    return has_residual ? Tensors{y, sum, statistics} : Tensors{y, statistics};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs, const Tensors& d) const override {
    const Tensor s = has_residual ? outputs[1] : inputs[0].contiguous(),
                 d_y = d[0].defined() ? d[0].contiguous() : at::zeros_like(s),
                 d_sum = has_residual && d[1].defined() ? d[1].contiguous() : Tensor(),
                 d_s = at::empty_like(s);
    const auto by_part = [&](const Tensor& like) {
      return like.defined() ? at::zeros({parts_of(s), s.size(-1)}, s.options()) : Tensor();
    };
    const Tensor d_weight = by_part(weight), d_bias = by_part(bias);
    each_part(s, 14, [&](NormRows norm, std::int64_t part, std::int64_t first) {
      const std::int64_t at = first * norm.d;
      norm.s = data<float>(s) + at;
      norm.d_y = data<float>(d_y) + at;
      if (d_sum.defined()) norm.d_sum = data<float>(d_sum) + at;
      norm.d_s = data<float>(d_s) + at;
      norm.d_weight = data<float>(d_weight, part);
      norm.d_bias = data<float>(d_bias, part);
      keep(outputs.back(), first, &norm);
      norm_kernels().backward(norm);
    });
    Tensors result{d_s};
    if (has_residual) result.push_back(d_s);
    if (weight.defined()) result.push_back(total_of(d_weight));
    if (bias.defined()) result.push_back(total_of(d_bias));
    return result;
  }

  // The sum over parts [parts, d].
  static Tensor total_of(const Tensor& parts) {
    const std::int64_t d = parts.size(1);
    const Tensor total = at::zeros({d}, parts.options());
    for (std::int64_t part = 0; part < parts.size(0); ++part)
      std::transform(data<float>(parts, part), data<float>(parts, part) + d, data<float>(total),
                     data<float>(total), std::plus());
    return total;
  }
};

bool is_bfloat16_or_float(at::ScalarType type) {
  return type == at::kFloat || type == at::kBFloat16;
}

// As under autocast: norms are float32, and products read autocast's type.
at::ScalarType type_of_norm(const Tensor& s, ReadBy read_by) {
  const at::DeviceType device = s.device().type();
  if (!at::autocast::is_autocast_enabled(device)) return s.scalar_type();
  return read_by == ReadBy::kProducts ? at::autocast::get_autocast_dtype(device) : at::kFloat;
}

bool fits(const Tensor& weight, std::int64_t d) {
  return !weight.defined() || (weight.scalar_type() == at::kFloat && weight.dim() == 1 &&
                               weight.size(0) == d && weight.is_contiguous());
}

bool has_kernel(const Norm& norm, const Tensor& residual, const Tensor& x, at::ScalarType y_type) {
  const std::int64_t d = x.size(-1);
  return d > 0 && d <= kNormMost && x.numel() > 0 && is_bfloat16_or_float(x.scalar_type()) &&
         is_bfloat16_or_float(y_type) && fits(norm.weight, d) && fits(norm.bias, d) &&
         (!residual.defined() ||
          (residual.scalar_type() == at::kFloat && residual.sizes() == x.sizes()));
}

bool has_cpu_kernel(const Norm& norm, const Tensor& residual, const Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && !products_are_libtorchs() &&
         has_kernel(norm, residual, x, at::kFloat);
}

Tensor by_libtorch(const Norm& norm, const Tensor& s) {
  const auto given = [](const Tensor& tensor) {
    return tensor.defined() ? std::optional(tensor) : std::nullopt;
  };
  if (norm.centered)
    return at::layer_norm(s, {s.size(-1)}, given(norm.weight), given(norm.bias), kNormEpsilon);
  Tensor y = at::rms_norm(s, {s.size(-1)}, std::nullopt, kNormEpsilon);
  if (norm.weight.defined()) y = y * norm.weight;
  return norm.bias.defined() ? y + norm.bias : y;
}

}  // namespace

NormedSum normed_sum(const Norm& norm, const Tensor& residual, const Tensor& x, ReadBy read_by,
                     const GpuOrCpu& gpu) {
  const auto computed = [&](auto operation, const Tensor& of) -> NormedSum {
    operation->weight = norm.weight;
    operation->bias = norm.bias;
    operation->centered = norm.centered;
    operation->has_residual = residual.defined();
    operation->results = residual.defined() ? 2 : 1;
    operation->keeps_inputs = !residual.defined();
    Tensors inputs{of};
    for (const Tensor& each : {residual, norm.weight, norm.bias})
      if (each.defined()) inputs.push_back(each);
    const Tensors results = differentiable(std::move(operation), inputs);
    return {residual.defined() ? results[1] : x, results[0]};
  };
  if (gpu) {
    const at::ScalarType y_type = type_of_norm(residual.defined() ? residual : x, read_by);
    if (has_kernel(norm, residual, x, y_type)) {
      auto operation = c10::make_intrusive<NormOnGpu>();
      operation->gpu = gpu;
      operation->x_type = x.scalar_type();
      operation->y_type = y_type;
      return computed(std::move(operation), x);
    }
  } else {
    const bool widens = x.is_cpu() && x.scalar_type() == at::kBFloat16 &&
                        at::autocast::is_autocast_enabled(x.device().type());
    const Tensor wide = widens ? x.to(at::kFloat) : x;
    if (has_cpu_kernel(norm, residual, wide))
      return computed(c10::make_intrusive<NormOnCpu>(), wide);
  }
  const Tensor sum = residual.defined() ? residual.add(x) : x;
  return {sum, by_libtorch(norm, sum)};
}

}  // namespace lcsm
