#include "lcsm/tensors/product.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

#include <algorithm>
#include <optional>

#include "lcsm/tensors/one_dnn.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

// Below this, oneDNN's preparations take longer than the product.
constexpr double kLeastFlops = 4e6;
// The limit for a weight's gradient: a larger one does not stay in L2 from step to step.
constexpr std::int64_t kCellsOfOuterSum = std::int64_t{1} << 17;

thread_local Products products_by = Products::kBest;

bool is_plain_float(const Tensor& x) { return x.is_cpu() && x.scalar_type() == at::kFloat; }

double flops(const Tensor& a, const Tensor& b) {
  return 2.0 * static_cast<double>(a.numel()) * static_cast<double>(b.size(0));
}

// a [M, K], b [N, K]; either may be the transposed view of another.
Tensor wide_product(const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias = {}) {
  return flops(a, b) < kLeastFlops ? at::linear(a, b, bias) : one_dnn_linear(a, b, bias);
}

// sum [N, K] += transposed [K, N]^T, or = if from_nothing. Goes through a buffer, so that both are
// read and written in whole cache lines.
void add_transposed(const Tensor& transposed, const Tensor& sum, bool from_nothing) {
  constexpr std::int64_t kWide = 64, kDeep = 16;
  const std::int64_t N = sum.size(0), K = sum.size(1);
  const float* const from = transposed.const_data_ptr<float>();
  float* const to = data<float>(sum);
  at::parallel_for(0, (N + kWide - 1) / kWide, 16, [&](std::int64_t begin, std::int64_t end) {
    float buffer[kDeep][kWide + 1];  // padded: entries of a column do not evict each other
    for (std::int64_t n = begin * kWide; n < std::min(N, end * kWide); n += kWide)
      for (std::int64_t k = 0; k < K; k += kDeep) {
        const std::int64_t wide = std::min(kWide, N - n), deep = std::min(kDeep, K - k);
        for (std::int64_t y = 0; y < deep; ++y)
          std::copy_n(from + (k + y) * N + n, wide, buffer[y]);
        for (std::int64_t x = 0; x < wide; ++x) {
          float* const row = to + (n + x) * K + k;
          for (std::int64_t y = 0; y < deep; ++y)
            row[y] = (from_nothing ? 0 : row[y]) + buffer[y][x];
        }
      }
  });
}

void set_or_add(const Tensor& product, bool from_nothing, const Tensor& sum) {
  from_nothing ? sum.copy_(product) : sum.add_(product);
}

void wide_add_product_of_columns(const Tensor& a, const Tensor& b, Tensor* sum, bool from_nothing) {
  if (!sum->is_contiguous()) return set_or_add(wide_product(b.t(), a.t()).t(), from_nothing, *sum);
  if (sum->numel() > kCellsOfOuterSum)
    return add_transposed(wide_product(b.t(), a.t()), *sum, from_nothing);
  if (from_nothing) sum->fill_(0);
  const Tensor rows = a.contiguous(), columns = b.contiguous();
  const Chunks chunks = even_chunks(a.size(0));
  OuterSum<float> outer;
  outer.deep = a.size(1);
  outer.wide = b.size(1);
  outer.a = data<float>(rows);
  outer.x = data<float>(columns);
  outer.chunks = &chunks;
  outer.memory = data<float>(*sum);
  run_outer_sum(outer, threads_for(flops(a, b.t())));
}

}  // namespace

ProductsBy::ProductsBy(Products by) : before_(products_by) { products_by = by; }
ProductsBy::~ProductsBy() { products_by = before_; }

bool products_are_libtorchs() { return products_by == Products::kLibTorch; }

bool products_are_wide() {
  static const bool narrow_mkl = __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512f");
  if (products_by == Products::kLibTorch || !has_one_dnn()) return false;
  return products_by == Products::kWide || narrow_mkl;
}

bool products_are_wide(const Tensor& a, const Tensor& b) {
  return products_are_wide() && is_plain_float(a) && is_plain_float(b);
}

Tensor rounded_for_products(const Tensor& x) {
  if (!x.defined() || !(x.is_cpu() || x.is_cuda()) || x.scalar_type() == at::kDouble) return x;
  const at::DeviceType device = x.device().type();
  return at::autocast::is_autocast_enabled(device) ? x.to(at::autocast::get_autocast_dtype(device))
                                                   : x;
}

Tensor product(const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias) {
  const at::NoGradGuard raw;
  if (products_are_wide(a, b)) return wide_product(a, b, bias);
  return bias ? at::linear(a, b, bias) : at::mm(a, b.t());
}

void add_product_of_columns(const Tensor& a, const Tensor& b, Tensor* sum, bool from_nothing) {
  const at::NoGradGuard raw;
  if (products_are_wide(a, b) && sum->scalar_type() == at::kFloat)
    return wide_add_product_of_columns(a, b, sum, from_nothing);
  if (from_nothing || a.scalar_type() != sum->scalar_type())
    return set_or_add(at::mm(a.t(), b), from_nothing, *sum);
  sum->addmm_(a.t(), b);
}

}  // namespace lcsm
