// The order of a scan: block by block of steps, some rows of the memory at a time, strip by strip
// of channels; per target (include inside foreach_target).
#if defined(LCSM_SCAN_ORDER_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_ORDER_CPU_INL_H_
#undef LCSM_SCAN_ORDER_CPU_INL_H_
#else
#define LCSM_SCAN_ORDER_CPU_INL_H_
#endif

#include "lcsm/cpu/denormals_cpu.h"
#include "lcsm/cpu/scan/scan_leaves_cpu-inl.h"
#include "lcsm/cpu/scan/scan_memory_cpu-inl.h"
#include "lcsm/cpu/scan/scan_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// `Rows` computes up to kAtOnce rows of a memory of kParts: it loads them, places their gates in a
// strip, runs a pass over it, and keeps their gradients.
template <class T, class Rows>
class ScanOrder {
 public:
  ScanOrder(const Scan<T>& scan, const ScanPart& part)
      : s_(scan),
        b_(scan, part),
        cells_(b_),
        rows_(b_),
        memory_(b_, true),
        before_(b_, false),
        i_(buffer<T>(b_.most * b_.padded)),
        given_i_(buffer<T>(scan.scaled_by >= 0 ? b_.most * b_.padded : 0)),
        y_(buffer<T>(b_.most * b_.padded)),
        d_y_(buffer<T>(scan.d_y ? b_.most * b_.padded : 0)) {}

  void forward() {
    memory_.copy(carried());
    for (std::int64_t q = 0; q < b_.blocks(); ++q) {
      begin(q);
      if (s_.states) memory_.copy_out(state(q));
      each_strip([&](std::int64_t k, int count, std::int64_t at) {
        rows_.run(Pass::kForward, memory_, k, count, at);
      });
      memory_.leave(/*is_gradient=*/false);
      b_.unpack(y_.get(), s_.y + b_.shared());
    }
    memory_.copy_out(carried());
  }

  void backward() {
    memory_.copy(carried());
    for (std::int64_t q = b_.blocks() - 1; q >= 0; --q) {
      begin(q);
      before_.copy(state(q));
      b_.pack(s_.d_y, d_y_.get(), Padding::kZero);
      each_strip([&](std::int64_t k, int count, std::int64_t at) {
        rows_.run(Pass::kRecompute, before_, k, count, at);
        rows_.run(Pass::kReverse, memory_, k, count, at);
        rows_.add_gradients(count, cells_);
      });
      memory_.leave(/*is_gradient=*/true);
      if (is_scaled()) {
        b_.add_product(y_.get(), given_i_.get(), cells_.gradient_at(scale(), 0));
        b_.multiply(y_.get(), cells_.at(scale(), 0), y_.get());
      }
      b_.unpack(y_.get(), s_.d.i + b_.shared());
      cells_.store_gradients();
    }
    memory_.copy_out(carried());
  }

 private:
  bool learns() const { return s_.d_y != nullptr; }
  bool is_scaled() const { return s_.scaled_by >= 0; }
  std::size_t scale() const { return static_cast<std::size_t>(s_.scaled_by); }
  T* carried() const { return s_.memory + b_.part.b * Rows::kParts * s_.K * s_.D; }
  T* state(std::int64_t q) const {
    return s_.states + (b_.part.b * b_.blocks() + q) * Rows::kParts * s_.K * s_.D;
  }

  void begin(std::int64_t q) {
    b_.begin(q);
    b_.pack(s_.i, is_scaled() ? given_i_.get() : i_.get(), Padding::kZero);
    b_.clear(y_);
    cells_.begin();
    if (is_scaled()) b_.multiply(given_i_.get(), cells_.at(scale(), 0), i_.get());
    memory_.enter();
  }

  template <class Work>
  void each_strip(const Work& work) {
    for (std::int64_t k = b_.part.first_k; k < b_.part.last_k; k += Rows::kAtOnce) {
      const auto count =
          static_cast<int>(std::min<std::int64_t>(Rows::kAtOnce, b_.part.last_k - k));
      rows_.load(k, count, learns());
      for (std::int64_t at = 0; at < b_.padded; at += b_.strip) {
        auto& strip = rows_.strip;
        strip.steps = b_.rows;
        strip.width = b_.width(at);
        strip.i = i_.get() + b_.cells(at);
        strip.y = strip.d_i = y_.get() + b_.cells(at);
        strip.d_y = d_y_.get() + (learns() ? b_.cells(at) : 0);
        rows_.place(at, count, cells_, learns());
        work(k, count, at);
      }
      if (learns()) rows_.store_gradients(count);
    }
  }

  const Scan<T>& s_;
  ScanBlock<T> b_;
  CellLeaves<T> cells_;
  Rows rows_;
  const ScanMemory<T, Rows::kParts> memory_, before_;  // memory_: its gradient in backward
  const Buffer<T> i_, given_i_, y_, d_y_;  // given_i_: i without its scale; y_: d_i in backward
};

template <class T, class Rows>
void scan_forward(const Scan<T>& scan, const ScanPart& part) {
  const FlushDenormals flush;
  ScanOrder<T, Rows>(scan, part).forward();
}
template <class T, class Rows>
void scan_backward(const Scan<T>& scan, const ScanPart& part) {
  const FlushDenormals flush;
  ScanOrder<T, Rows>(scan, part).backward();
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
