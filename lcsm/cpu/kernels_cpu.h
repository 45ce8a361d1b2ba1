// Exports the kernels of a _cpu.cpp. Use these macros at its end, inside namespace lcsm, under
// HWY_ONCE.
#pragma once

// Defines `accessor<T>()`: it returns float_kernels() or double_kernels() of this processor's best
// target, chosen once.
#define LCSM_CHOOSE_KERNELS(Kernels, accessor)                                     \
  HWY_EXPORT(float_kernels);                                                       \
  HWY_EXPORT(double_kernels);                                                      \
  template <>                                                                      \
  const Kernels<float>& accessor() {                                               \
    static const Kernels<float> kernels = HWY_DYNAMIC_DISPATCH(float_kernels)();   \
    return kernels;                                                                \
  }                                                                                \
  template <>                                                                      \
  const Kernels<double>& accessor() {                                              \
    static const Kernels<double> kernels = HWY_DYNAMIC_DISPATCH(double_kernels)(); \
    return kernels;                                                                \
  }

// Defines `accessor()` for kernels of float32 only: it returns kernels() of the best target.
#define LCSM_CHOOSE_FLOAT_KERNELS(Kernels, accessor)             \
  HWY_EXPORT(kernels);                                           \
  const Kernels& accessor() {                                    \
    static const Kernels best = HWY_DYNAMIC_DISPATCH(kernels)(); \
    return best;                                                 \
  }
