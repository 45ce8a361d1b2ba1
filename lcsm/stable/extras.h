// The parts of LibTorch other than tensors that our files use: threads, checks, shared objects, and
// what the caller states about the current call.
#pragma once

#include <torch/headeronly/util/BFloat16.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "lcsm/stable/functions.h"

// ----- Types of numbers -----

#define LCSM_IN_TYPE(type, ...) \
  {                             \
    using scalar_t = type;      \
    __VA_ARGS__();              \
  }
#define AT_DISPATCH_FLOATING_TYPES(dtype, name, ...)                                          \
  do {                                                                                        \
    if ((dtype) == at::kFloat)                                                                \
      LCSM_IN_TYPE(float, __VA_ARGS__)                                                        \
    else if ((dtype) == at::kDouble)                                                          \
      LCSM_IN_TYPE(double, __VA_ARGS__)                                                       \
    else                                                                                      \
      throw std::invalid_argument(std::string(name) + ": expected float32 or float64, got " + \
                                  at::toString(dtype));                                       \
  } while (false)

// `more` is bfloat16.
#define AT_DISPATCH_FLOATING_TYPES_AND(more, dtype, name, ...) \
  if ((dtype) == (more))                                       \
    LCSM_IN_TYPE(torch::headeronly::BFloat16, __VA_ARGS__)     \
  else                                                         \
    AT_DISPATCH_FLOATING_TYPES(dtype, name, __VA_ARGS__)

namespace c10 {

using torch::headeronly::BFloat16;

template <class... Parts>
std::string str(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

// LibTorch's smart pointers; standard ones suffice for our files.
template <class T>
using intrusive_ptr = std::shared_ptr<T>;
template <class T, class... Arguments>
intrusive_ptr<T> make_intrusive(Arguments&&... arguments) {
  return std::make_shared<T>(std::forward<Arguments>(arguments)...);
}

}  // namespace c10

#define TORCH_CHECK(condition, ...)                                       \
  do {                                                                    \
    if (!(condition)) throw std::invalid_argument(c10::str(__VA_ARGS__)); \
  } while (false)

namespace torch {

struct CustomClassHolder {
  virtual ~CustomClassHolder() = default;
};

}  // namespace torch

namespace at {

using torch::headeronly::BFloat16;

inline ScalarType toRealValueType(ScalarType dtype) {
  return dtype == kComplexDouble ? kDouble : dtype == kComplexFloat ? kFloat : dtype;
}
inline bool isFloatingType(ScalarType dtype) {
  return dtype == kFloat || dtype == kDouble || dtype == kBFloat16 || dtype == kHalf;
}

// ----- Threads -----

int get_num_threads();
void run_parallel(std::int64_t begin, std::int64_t end, std::int64_t grain,
                  void (*work)(std::int64_t, std::int64_t, void*), void* context);

template <class Work>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Work& work) {
  run_parallel(
      begin, end, grain,
      [](std::int64_t first, std::int64_t last, void* context) {
        (*static_cast<const Work*>(context))(first, last);
      },
      const_cast<Work*>(&work));
}

// ----- The current call -----

// The stable ABI does not tell whether a tensor requires gradients, or which type autocast uses:
// the caller states both.
struct Ambient {
  bool learns = false;                 // gradients will be asked for
  std::optional<ScalarType> products;  // the type of products under autocast
};
class AmbientGuard {
 public:
  explicit AmbientGuard(Ambient ambient);
  ~AmbientGuard();
  AmbientGuard(const AmbientGuard&) = delete;
  AmbientGuard& operator=(const AmbientGuard&) = delete;

  static const Ambient& now();

 private:
  const Ambient before_;
};

class NoGradGuard {
 public:
  NoGradGuard();
  ~NoGradGuard();
  NoGradGuard(const NoGradGuard&) = delete;
  NoGradGuard& operator=(const NoGradGuard&) = delete;

 private:
  const bool before_;
};

namespace autocast {

inline bool is_autocast_enabled(DeviceType) { return AmbientGuard::now().products.has_value(); }
inline ScalarType get_autocast_dtype(DeviceType) { return *AmbientGuard::now().products; }

}  // namespace autocast
}  // namespace at

namespace c10 {

using at::NoGradGuard;

}  // namespace c10
