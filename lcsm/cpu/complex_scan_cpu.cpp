#include "lcsm/cpu/complex_scan_cpu.h"

#include "lcsm/cpu/denormals_cpu.h"
#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/complex_scan_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/complex_scan_memory_cpu-inl.h"
#include "lcsm/cpu/complex_scan_row_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T, int kParts>
class ComplexPart {
 public:
  ComplexPart(const Scan<T>& scan, const ScanPart& part)
      : s_(scan),
        b_(scan, part),
        cells_(b_),
        row_(b_),
        memory_(b_, true),
        before_(b_, false),
        i_(buffer<T>(b_.most * b_.padded)),
        y_(buffer<T>(b_.most * b_.padded)),
        d_y_(buffer<T>(scan.d_y ? b_.most * b_.padded : 0)) {}

  void forward() {
    memory_.copy(carried());
    for (std::int64_t q = 0; q < b_.blocks(); ++q) {
      begin(q);
      memory_.enter();
      if (s_.states) memory_.copy_out(state(q));
      each_strip([&](std::int64_t k, std::int64_t at) { run(Pass::kForward, memory_, k, at); });
      memory_.leave(/*is_gradient=*/false);
      b_.unpack(y_.get(), s_.y + b_.shared());
    }
    memory_.copy_out(carried());
  }

  void backward() {
    memory_.copy(carried());
    for (std::int64_t q = b_.blocks() - 1; q >= 0; --q) {
      begin(q);
      memory_.enter();
      before_.copy(state(q));
      b_.pack(s_.d_y, d_y_.get(), Padding::kZero);
      each_strip([&](std::int64_t k, std::int64_t at) {
        run(Pass::kRecompute, before_, k, at);
        run(Pass::kReverse, memory_, k, at);
        row_.add_gradients(cells_);
      });
      memory_.leave(/*is_gradient=*/true);
      b_.unpack(y_.get(), s_.d.i + b_.shared());
      cells_.store_gradients();
    }
    memory_.copy_out(carried());
  }

 private:
  bool learns() const { return s_.d_y != nullptr; }
  T* carried() const { return s_.memory + b_.part.b * kParts * s_.K * s_.D; }
  T* state(std::int64_t q) const {
    return s_.states + (b_.part.b * b_.blocks() + q) * kParts * s_.K * s_.D;
  }

  void begin(std::int64_t q) {
    b_.begin(q);
    b_.pack(s_.i, i_.get(), Padding::kZero);
    b_.clear(y_);
    cells_.begin();
  }

  // Row by row, strip by strip, with the factors of each.
  template <class Work>
  void each_strip(const Work& work) {
    for (std::int64_t k = b_.part.first_k; k < b_.part.last_k; ++k) {
      row_.load(k, learns());
      for (std::int64_t at = 0; at < b_.padded; at += b_.strip) {
        strip_.steps = b_.rows;
        strip_.width = b_.width(at);
        strip_.i = i_.get() + b_.cells(at);
        strip_.y = strip_.d_i = y_.get() + b_.cells(at);
        strip_.d_y = d_y_.get() + (learns() ? b_.cells(at) : 0);
        row_.place(at, cells_, learns(), &strip_);
        work(k, at);
      }
      if (learns()) row_.store_gradients();
    }
  }

  void run(Pass pass, const ComplexMemory<T, kParts>& memory, std::int64_t k, std::int64_t at) {
    for (int n = 0; n < kParts; ++n) strip_.memory[n] = memory.row(n, k) + at;
    pass_over<kParts>(pass, strip_, row_.is_weighted(), s_.tape->is_static);
  }

  const Scan<T>& s_;
  ScanBlock<T> b_;
  CellLeaves<T> cells_;
  ComplexRow<T, kParts> row_;
  const ComplexMemory<T, kParts> memory_, before_;  // memory: backward, the gradient
  const Buffer<T> i_, y_, d_y_;                     // y: backward, the gradient of i
  ComplexStrip<T, kParts> strip_;                   // the current one
};

template <class T>
void forward(const Scan<T>& scan, const ScanPart& part) {
  const FlushDenormals flush;
  if (scan.parts == 1) return ComplexPart<T, 1>(scan, part).forward();
  ComplexPart<T, 2>(scan, part).forward();
}
template <class T>
void backward(const Scan<T>& scan, const ScanPart& part) {
  const FlushDenormals flush;
  if (scan.parts == 1) return ComplexPart<T, 1>(scan, part).backward();
  ComplexPart<T, 2>(scan, part).backward();
}

template <class T>
ScanKernels<T> kernels_of() {
  return {forward<T>, backward<T>, nullptr, static_cast<std::int64_t>(hn::Lanes(Tag<T>()))};
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
