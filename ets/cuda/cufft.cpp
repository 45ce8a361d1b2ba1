#include "ets/cuda/cufft.h"

#include <dlfcn.h>

#include <cstdlib>

namespace ets {
namespace {

void* opened(const std::string& library) {
  if (!library.empty()) return dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* const home = std::getenv("CUDA_HOME");
  const std::string toolkit = home != nullptr ? home : "/usr/local/cuda";
  for (const std::string& path : {std::string("libcufft.so.12"), toolkit + "/lib64/libcufft.so.12",
                                  std::string("libcufft.so.11")})
    if (void* const found = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
  return nullptr;
}

template <class... Args>
void find(void* library, const char* name, std::function<int(Args...)>* function) {
  auto* const found = reinterpret_cast<int (*)(Args...)>(dlsym(library, name));
  if (found == nullptr)
    throw lcsm::CudaError(std::string("libcufft has no ") + name +
                          ": install the one of CUDA 13, or run on the CPU");
  *function = found;
}

}  // namespace

Cufft open_cufft(const std::string& library) {
  void* const handle = opened(library);
  if (handle == nullptr)
    throw lcsm::CudaError(
        "libcufft.so.12 was not found: install the CUDA 13 toolkit, set CUDA_HOME, "
        "or run on the CPU");
  Cufft cufft;
  find(handle, "cufftCreate", &cufft.create);
  find(handle, "cufftSetAutoAllocation", &cufft.allocate_work);
  find(handle, "cufftMakePlanMany", &cufft.make);
  find(handle, "cufftSetStream", &cufft.set_stream);
  find(handle, "cufftSetWorkArea", &cufft.set_work);
  find(handle, "cufftExecR2C", &cufft.to_complex);
  find(handle, "cufftExecC2R", &cufft.to_real);
  find(handle, "cufftDestroy", &cufft.destroy);
  return cufft;
}

CufftPlans::~CufftPlans() {
  for (const auto& [key, kept] : plans_) functions_.destroy(kept.plan);
}

void CufftPlans::check(int result, const FftCall& call, const char* work) const {
  if (result == 0) return;
  const std::string what = std::string(work) + " " + std::to_string(call.rows) + " rows of " +
                           std::to_string(call.points) + " points: cuFFT error " +
                           std::to_string(result);
  constexpr int kOutOfMemory = 2;  // CUFFT_ALLOC_FAILED
  if (result == kOutOfMemory) throw lcsm::CudaOutOfMemory("the GPU is out of memory: " + what);
  throw lcsm::CudaError(what);
}

CufftPlans::Kept CufftPlans::make(const FftCall& call) const {
  Kept kept;
  int points = call.points, whole = call.stride, half = call.stride / 2;
  int *from = &whole, *to = &half;
  if (call.inverse) std::swap(from, to);
  check(functions_.create(&kept.plan), call, "plan");
  check(functions_.allocate_work(kept.plan, 0), call, "plan");
  check(functions_.make(kept.plan, 1, &points, from, 1, *from, to, 1, *to,
                        call.inverse ? kCufftToReal : kCufftToComplex, call.rows, &kept.work),
        call, "plan");
  return kept;
}

int CufftPlans::transform(const FftCall& call, const Kept& kept) const {
  return call.inverse ? functions_.to_real(kept.plan, call.data, call.data)
                      : functions_.to_complex(kept.plan, call.data, call.data);
}

void CufftPlans::run(const FftCall& call, lcsm::CudaHandle stream, const lcsm::Allocate& allocate) {
  const std::lock_guard lock(mutex_);
  const std::array<int, 4> key = {call.points, call.stride, call.rows, call.inverse};
  auto found = plans_.find(key);
  const bool fresh = found == plans_.end();
  if (fresh) found = plans_.emplace(key, make(call)).first;
  const Kept& kept = found->second;
  check(functions_.set_stream(kept.plan, stream), call, "transform");
  void* const work = kept.work > 0 ? allocate("work area of cuFFT", kept.work) : nullptr;
  check(functions_.set_work(kept.plan, work), call, "transform");
  if (fresh) {
    FftCall warm = call;
    const std::size_t bytes =
        sizeof(float) * static_cast<std::size_t>(call.stride) * static_cast<std::size_t>(call.rows);
    warm.data = static_cast<float*>(allocate("first rows of cuFFT", bytes));
    check(transform(warm, kept), call, "transform");
  }
  check(transform(call, kept), call, "transform");
}

}  // namespace ets
