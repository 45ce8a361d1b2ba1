#include "lcsm/cpu/scan/complex_scan_cpu.h"

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/scan/complex_scan_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/scan/complex_scan_row_cpu-inl.h"
#include "lcsm/cpu/scan/scan_order_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T>
void forward(const Scan<T>& scan, const ScanPart& part) {
  if (scan.parts == 1) return scan_forward<T, ComplexRow<T, 1>>(scan, part);
  scan_forward<T, ComplexRow<T, 2>>(scan, part);
}
template <class T>
void backward(const Scan<T>& scan, const ScanPart& part) {
  if (scan.parts == 1) return scan_backward<T, ComplexRow<T, 1>>(scan, part);
  scan_backward<T, ComplexRow<T, 2>>(scan, part);
}

template <class T>
ScanKernels<T> kernels_of() {
  return {forward<T>, backward<T>, static_cast<std::int64_t>(hn::Lanes(Tag<T>()))};
}
ScanKernels<float> float_kernels() { return kernels_of<float>(); }
ScanKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_KERNELS(ScanKernels, complex_scan_kernels)

}  // namespace lcsm
#endif
