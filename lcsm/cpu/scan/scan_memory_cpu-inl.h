// A scan's memory between blocks, per target (include inside foreach_target).
#if defined(LCSM_SCAN_MEMORY_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_MEMORY_CPU_INL_H_
#undef LCSM_SCAN_MEMORY_CPU_INL_H_
#else
#define LCSM_SCAN_MEMORY_CPU_INL_H_
#endif

#include "lcsm/cpu/scan/scan_block_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// The memory of a part's rows and channels, or its gradient: [kParts, K, padded].
template <class T, int kParts>
class ScanMemory {
 public:
  // `carries`: the memory is carried from block to block.
  ScanMemory(const ScanBlock<T>& block, bool carries)
      : b_(block),
        cells_(block.scan.K * block.padded),
        powers_(carries ? block.scan.powers : nullptr),
        now_(buffer<T>(kParts * cells_)),
        exact_(buffer<double>(powers_ ? kParts * cells_ : 0)),
        entered_(buffer<T>(powers_ ? kParts * cells_ : 0)) {}

  T* row(int part, std::int64_t k) const { return now_.get() + part * cells_ + k * b_.padded; }

  // Copies the memory, [kParts K, D].
  void copy(const T* from) const {
    for (int n = 0; n < kParts; ++n)
      b_.copy_memory(from + n * b_.scan.K * b_.scan.D, now_.get() + n * cells_);
    if (powers_)
      for (std::int64_t n = 0; n < kParts * cells_; ++n)
        exact_[at(n)] = static_cast<double>(now_[at(n)]);
  }
  void copy_out(T* to) const {
    for (int n = 0; n < kParts; ++n)
      b_.copy_memory_out(now_.get() + n * cells_, to + n * b_.scan.K * b_.scan.D);
  }

  // Called before and after a block. The block multiplies the entering memory by a power of o
  // rounded to T (a gradient by its conjugate). leave() replaces this power by the exact one, in
  // float64.
  void enter() const {
    if (powers_) std::copy_n(now_.get(), kParts * cells_, entered_.get());
  }
  void leave(bool is_gradient) const {
    if (!powers_) return;
    const std::int64_t matrix = b_.scan.K * b_.scan.D;
    const double* const exact = powers_ + (b_.rows < b_.most ? 2 * kParts * matrix : 0);
    for (std::int64_t k = b_.part.first_k; k < b_.part.last_k; ++k) {
      const double* const row = exact + k * b_.scan.D + b_.part.first;
      leave(k * b_.padded, row, row + kParts * matrix, matrix, is_gradient ? -1 : 1);
    }
    for (std::int64_t n = 0; n < kParts * cells_; ++n) now_[at(n)] = static_cast<T>(exact_[at(n)]);
  }

 private:
  static std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

  // `sign` multiplies the imaginary parts of the powers, which follow `matrix` numbers after the
  // real parts.
  void leave(std::int64_t row, const double* exact, const double* rounded, std::int64_t matrix,
             double sign) const {
    T *const entered = entered_.get() + row, *const now = now_.get() + row;
    double* const to = exact_.get() + row;
    for (std::int64_t c = 0; c < b_.columns; ++c) {
      const double a = to[c], a_T = static_cast<double>(entered[c]);
      const double re = static_cast<double>(now[c]);
      if constexpr (kParts == 1) {
        to[c] = re + (exact[c] * a - rounded[c] * a_T);
      } else {
        const double b = to[cells_ + c], b_T = static_cast<double>(entered[cells_ + c]);
        const double p = exact[c], p_i = sign * exact[matrix + c];
        const double r = rounded[c], r_i = sign * rounded[matrix + c];
        to[c] = re + ((p * a - p_i * b) - (r * a_T - r_i * b_T));
        to[cells_ + c] =
            static_cast<double>(now[cells_ + c]) + ((p * b + p_i * a) - (r * b_T + r_i * a_T));
      }
    }
  }

  const ScanBlock<T>& b_;
  const std::int64_t cells_;
  const double* const powers_;
  const Buffer<T> now_;
  const Buffer<double> exact_;
  const Buffer<T> entered_;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
