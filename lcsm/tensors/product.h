// Matrix products. For float32 on a CPU LibTorch uses MKL, which limits AMD processors to vectors
// of 32 bytes even if they have 64. On those, oneDNN, which LibTorch also contains, computes
// products with a weight, and outer_sum_cpu.h the gradients of weights: twice as fast. Everything
// else (other types, devices, processors, autocast) goes to LibTorch's own operations.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace lcsm {

// x W^T + b; b undefined = 0. x [..., K], W [N, K]. Has derivatives of every order.
at::Tensor affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

// a b^T + bias without gradients; a [M, K], b [N, K].
at::Tensor product(const at::Tensor& a, const at::Tensor& b,
                   const std::optional<at::Tensor>& bias = {});
// sum += a^T b, a [M, N], b [M, K]; sum may have a wider type. from_nothing: sum = a^T b.
void add_product_of_columns(const at::Tensor& a, const at::Tensor& b, at::Tensor* sum,
                            bool from_nothing = false);

// x in the type that products read: bfloat16 under autocast, else unchanged; float64 never changes.
// Recurrences on a GPU read and write this type, too.
at::Tensor rounded_for_products(const at::Tensor& x);

enum class Products : std::uint8_t {
  kBest,      // the fastest on this processor
  kLibTorch,  // always LibTorch's own
  kWide,      // oneDNN and outer sums, on any processor
};
// Selects what computes float32 products on the CPU in this thread, until it is destroyed. Values
// other than kBest are for comparisons.
class ProductsBy {
 public:
  explicit ProductsBy(Products by);
  ~ProductsBy();
  ProductsBy(const ProductsBy&) = delete;
  ProductsBy& operator=(const ProductsBy&) = delete;

 private:
  const Products before_;
};
bool products_are_wide();
bool products_are_wide(const at::Tensor& a, const at::Tensor& b);  // for the product of a and b
bool products_are_libtorchs();                                     // under ProductsBy(kLibTorch)

}  // namespace lcsm
