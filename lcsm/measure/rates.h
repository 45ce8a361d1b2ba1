// Shared by ceilings_cpu.cpp and ceilings_cuda.cpp: rows of ceilings.h, and square matrix products
// that are checked before they are timed.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "lcsm/cuda/device/measure_cuda.h"
#include "lcsm/measure/ceilings.h"

namespace lcsm {

struct MatmulKind {
  const char* name;
  at::ScalarType type;
  double tolerance;  // relative to the largest entry: rounding of the result and of sums
  LcsmCudaType cuda;
};
inline constexpr MatmulKind kMatmulKinds[] = {{"fp32", at::kFloat, 1e-4, kLcsmFloat32},
                                              {"fp64", at::kDouble, 1e-12, kLcsmFloat64},
                                              {"bf16", at::kBFloat16, 1e-2, kLcsmBfloat16}};

struct Product {
  at::Tensor a, b, c;  // [n, n]; a and b uniform in [-0.5, 0.5)
};

// c is empty; its type may differ from a's and b's.
Product make_product(const at::Device& device, at::ScalarType type, at::ScalarType result, int n);

// Compares three rows of c with a plain loop in float64; throws std::runtime_error.
void check_product(const Product& p, const MatmulKind& kind, const std::string& by);

double gigaflops(int n);  // per product

// Rates without their times.
Rate copy_rate(const at::Device& device, int threads, const char* what, std::size_t bytes);
Rate matmul_rate(const at::Device& device, int threads, const MatmulKind& kind,
                 const std::string& by, int n);

// The product of p by the library that affine() uses, checked and timed; `wait` returns when the
// device of p is idle.
Rate library_matmul(Product& p, int threads, const MatmulKind& kind, double seconds,
                    const std::function<void()>& wait);

}  // namespace lcsm
