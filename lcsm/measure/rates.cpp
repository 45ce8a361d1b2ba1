#include "lcsm/measure/rates.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lcsm/measure/timing.h"
#include "lcsm/tensors/product.h"

namespace lcsm {

Product make_product(const at::Device& device, at::ScalarType type, at::ScalarType result, int n) {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(1);
  const auto random = [&] {
    return at::rand({n, n}, generator, at::kFloat).sub(0.5).to(type).to(device);
  };
  Product p{random(), random(), {}};
  p.c = at::empty({n, n}, at::TensorOptions(result).device(device));
  return p;
}

void check_product(const Product& p, const MatmulKind& kind, const std::string& by) {
  const auto as_double = [](const at::Tensor& x) {
    return x.to(at::kCPU).to(at::kDouble).contiguous();
  };
  const std::int64_t n = p.a.size(0);
  const at::Tensor b = as_double(p.b);
  double worst = 0, largest = 0;
  for (const std::int64_t row : {std::int64_t{0}, n / 2 + 1, n - 1}) {
    const at::Tensor a_row = as_double(p.a.select(0, row)), c_row = as_double(p.c.select(0, row));
    std::vector<double> want(static_cast<std::size_t>(n), 0.0);
    for (std::int64_t k = 0; k < n; ++k) {
      const double x = a_row.const_data_ptr<double>()[k];
      const double* y = b.const_data_ptr<double>() + k * n;
      for (std::int64_t j = 0; j < n; ++j) want[static_cast<std::size_t>(j)] += x * y[j];
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const double exact = want[static_cast<std::size_t>(j)];
      const double off = std::abs(c_row.const_data_ptr<double>()[j] - exact);
      worst = std::isnan(off) ? HUGE_VAL : std::max(worst, off);  // std::max would ignore NaN
      largest = std::max(largest, std::abs(exact));
    }
  }
  if (worst > kind.tolerance * largest)
    throw std::runtime_error("matmul " + std::string(kind.name) + " by " + by + " on " +
                             p.a.device().str() + " is wrong: off by " + std::to_string(worst) +
                             " where entries reach " + std::to_string(largest));
}

double gigaflops(int n) { return 2.0 * n * n * n / 1e9; }

Rate matmul_rate(const at::Device& device, int threads, const MatmulKind& kind,
                 const std::string& by, int n) {
  const std::string text = std::to_string(n);
  return {device.str(), threads, "matmul", kind.name, by, text + "x" + text + "x" + text,
          "GFLOP/s"};
}

Rate copy_rate(const at::Device& device, int threads, const char* what, std::size_t bytes) {
  return {device.str(), threads, what, "", "lcsm", std::to_string(bytes >> 20) + " MiB", "GB/s"};
}

Rate library_matmul(Product& p, int threads, const MatmulKind& kind, double seconds,
                    const std::function<void()>& wait) {
  const bool wide = p.a.is_cpu() && kind.type == at::kFloat && products_are_wide();
  const char* by = wide ? "oneDNN" : "at::mm";
  const auto work = [&] {
    wide ? p.c = product(p.a, p.b.t()) : at::mm_out(p.c, p.a, p.b);
    wait();
  };
  work();
  check_product(p, kind, by);
  const int n = static_cast<int>(p.a.size(0));
  return with_times(matmul_rate(p.a.device(), threads, kind, by, n), gigaflops(n),
                    time_each(seconds, work));
}

}  // namespace lcsm
