// The GPU half of ceilings.h: the kernels of measure_cuda.cu, and LibTorch's products.
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <stdexcept>

#include "lcsm/cuda/device/device.h"
#include "lcsm/measure/ceilings.h"
#include "lcsm/measure/rates.h"
#include "lcsm/measure/timing.h"

namespace lcsm {
namespace {

void check_cuda(const char* error, const char* what) {
  if (error != nullptr) throw std::runtime_error(std::string(what) + " on the GPU: " + error);
}

// The first repeat warms up and is not counted.
template <class F, class Work>
Seconds time_cuda(F* function, const Work& work, int repeats, const char* what) {
  std::vector<float> ms(static_cast<std::size_t>(repeats) + 1);
  check_cuda(function(&work, repeats + 1, ms.data()), what);
  Seconds seconds;
  for (std::size_t i = 1; i < ms.size(); ++i) seconds.push_back(ms[i] / 1e3);
  return seconds;
}

Rate own_matmul(const Cuda& cuda, const Product& p, const MatmulKind& kind, int repeats) {
  auto* run = cuda.function<decltype(lcsm_matmul_cuda)>("lcsm_matmul_cuda");
  const int n = static_cast<int>(p.a.size(0));
  const LcsmMatmulCuda work{kind.cuda, p.a.const_data_ptr(), p.b.const_data_ptr(),
                            p.c.mutable_data_ptr(), n};
  time_cuda(run, work, 1, "matmul");
  check_product(p, kind, "lcsm");
  return with_times(matmul_rate(p.a.device(), 0, kind, "lcsm", n), gigaflops(n),
                    time_cuda(run, work, repeats, "matmul"));
}

Rate own_copy(const Cuda& cuda, const at::Device& device, std::size_t bytes, int repeats) {
  const auto options = at::TensorOptions(at::kByte).device(device);
  const auto size = static_cast<std::int64_t>(bytes);
  const at::Tensor from = at::empty({size}, options).fill_(7), to = at::empty({size}, options);
  const LcsmCopyCuda work{from.const_data_ptr(), to.mutable_data_ptr(), bytes};
  const auto times =
      time_cuda(cuda.function<decltype(lcsm_copy_cuda)>("lcsm_copy_cuda"), work, repeats, "copy");
  if (!to.equal(from)) throw std::runtime_error("copy on the GPU did not copy");
  return with_times(copy_rate(device, 0, "copy", bytes), 2.0 * bytes / 1e9, times);
}

}  // namespace

std::vector<Rate> cuda_ceilings(const Cuda& cuda, const CeilingOptions& options) {
  auto* synchronize = cuda.function<decltype(lcsm_synchronize_cuda)>("lcsm_synchronize_cuda");
  const auto wait = [&] { check_cuda(synchronize(), "waiting for"); };
  const at::Device device(at::kCUDA, 0);
  const int repeats = options.quick ? 3 : 20;
  std::vector<Rate> rates;
  for (const MatmulKind& kind : kMatmulKinds) {
    const bool tensor_cores = kind.type == at::kBFloat16;
    const int n = options.quick ? 1024 : tensor_cores ? 8192 : 4096;
    // The kernel on the tensor cores writes its float32 sums without rounding them.
    Product p = make_product(device, kind.type, tensor_cores ? at::kFloat : kind.type, n);
    rates.push_back(own_matmul(cuda, p, kind, repeats));
    p.c = at::empty_like(p.a);
    rates.push_back(library_matmul(p, 0, kind, options.quick ? 0.02 : 0.4, wait));
  }
  rates.push_back(own_copy(cuda, device, std::size_t{options.quick ? 64U : 1024U} << 20, repeats));
  return rates;
}

}  // namespace lcsm
