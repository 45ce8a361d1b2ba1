#include "lcsm/cpu/scan_cpu.h"

#include <algorithm>

#include "lcsm/cpu/denormals_cpu.h"
#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/scan_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/scan_row_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T>
class Part {
 public:
  Part(const Scan<T>& scan, const ScanPart& part)
      : s_(scan),
        b_(scan, part),
        cells_(b_),
        i_(buffer<T>(b_.most * b_.padded)),
        y_(buffer<T>(b_.most * b_.padded)),
        d_y_(buffer<T>(scan.d_y ? b_.most * b_.padded : 0)),
        memory_(buffer<T>(scan.K * b_.padded)),
        before_(buffer<T>(scan.d_y ? scan.K * b_.padded : 0)) {
    strip_.by_log = scan.tape->by_log;
    for (int j = 0; j < kRowsAtOnce; ++j) rows_.emplace_back(b_);
  }

  void forward() {
    b_.copy_memory(carried(), memory_.get());
    for (std::int64_t q = 0; q < b_.blocks(); ++q) {
      begin(q);
      if (s_.states) b_.copy_memory_out(memory_.get(), state(q));
      each_strip([&](std::int64_t k, int count, std::int64_t at) {
        place(count, at);
        run(Pass::kForward, memory_, k, count, at);
      });
      b_.unpack(y_.get(), s_.y + b_.shared());
    }
    b_.copy_memory_out(memory_.get(), carried());
  }

  void backward() {
    b_.copy_memory(carried(), memory_.get());
    for (std::int64_t q = b_.blocks() - 1; q >= 0; --q) {
      begin(q);
      b_.copy_memory(state(q), before_.get());
      b_.pack(s_.d_y, d_y_.get(), Padding::kZero);
      each_strip([&](std::int64_t k, int count, std::int64_t at) {
        place(count, at);
        run(Pass::kRecompute, before_, k, count, at);
        run(Pass::kReverse, memory_, k, count, at);
        for (int j = 0; j < count; ++j) row(j).add_gradients(cells_);
      });
      b_.unpack(y_.get(), s_.d.i + b_.shared());
      cells_.store_gradients();
    }
    b_.copy_memory_out(memory_.get(), carried());
  }

 private:
  ScanRow<T>& row(int j) { return rows_[static_cast<std::size_t>(j)]; }
  T* carried() const { return s_.memory + b_.part.b * s_.K * s_.D; }
  T* state(std::int64_t q) const { return s_.states + (b_.part.b * b_.blocks() + q) * s_.K * s_.D; }

  void begin(std::int64_t q) {
    b_.begin(q);
    b_.pack(s_.i, i_.get(), Padding::kZero);
    b_.clear(y_);
    cells_.begin();
  }

  // Calls `work` for some rows of the memory at a time, strip by strip.
  template <class Work>
  void each_strip(const Work& work) {
    for (std::int64_t k = b_.part.first_k; k < b_.part.last_k; k += kRowsAtOnce) {
      const auto count = static_cast<int>(std::min<std::int64_t>(kRowsAtOnce, b_.part.last_k - k));
      for (int j = 0; j < count; ++j) row(j).load(k + j, learns());
      for (std::int64_t at = 0; at < b_.padded; at += b_.strip) work(k, count, at);
      for (int j = 0; j < count && learns(); ++j) row(j).store_gradients();
    }
  }

  // The strip at a column, and its gates.
  void place(int count, std::int64_t at) {
    strip_.steps = b_.rows;
    strip_.width = b_.width(at);
    strip_.i = i_.get() + b_.cells(at);
    strip_.y = strip_.d_i = y_.get() + b_.cells(at);
    strip_.d_y = d_y_.get() + (learns() ? b_.cells(at) : 0);
    for (int j = 0; j < count; ++j) row(j).gate(at, cells_, learns(), &strip_.row[j]);
    strip_.o_step = row(0).o_step();
  }

  void run(Pass pass, const Buffer<T>& memory, std::int64_t k, int count, std::int64_t at) {
    for (int j = 0; j < count; ++j) strip_.row[j].memory = memory.get() + (k + j) * b_.padded + at;
    pass_over(pass, strip_, count, row(0).write(), s_.s.is_static);
  }

  bool learns() const { return s_.d_y != nullptr; }

  const Scan<T>& s_;
  ScanBlock<T> b_;
  CellLeaves<T> cells_;
  const Buffer<T> i_, y_, d_y_, memory_, before_;  // y: backward, the gradient of i
  std::vector<ScanRow<T>> rows_;
  Strip<T> strip_;  // the current one
};

template <class T>
void functions(const Tape& tape, std::int64_t cells) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  const std::int64_t columns = 4 * lanes,
                     rows = kBytesOfBlock / static_cast<std::int64_t>(sizeof(T)) / columns;
  std::vector<Instruction> list;
  for (const Instruction& step : tape.gate)
    if (is_function(step.op) &&
        tape.values[static_cast<std::size_t>(step.out)].spread == Spread::kCells)
      list.push_back(step);
  const Buffer<T> zeros = buffer<T>(rows * columns);
  TapeBlock<T> block(tape, rows, columns);
  block.place({rows, columns});
  for (std::size_t n = 0; n < tape.values.size() && tape.values[n].leaf >= 0; ++n)
    block.leaf(n, zeros.get(), tape.values[n].spread == Spread::kCells ? columns : 1);
  for (std::int64_t done = 0; done < cells; done += rows * columns) block.run(list, false);
}

template <class T>
void forward(const Scan<T>& scan, const ScanPart& part) {
  const FlushDenormals flush;
  Part<T>(scan, part).forward();
}
template <class T>
void backward(const Scan<T>& scan, const ScanPart& part) {
  const FlushDenormals flush;
  Part<T>(scan, part).backward();
}

template <class T>
ScanKernels<T> kernels_of() {
  return {forward<T>, backward<T>, functions<T>, static_cast<std::int64_t>(hn::Lanes(Tag<T>()))};
}
ScanKernels<float> float_kernels() { return kernels_of<float>(); }
ScanKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

std::int64_t scan_block_steps(std::int64_t k, std::int64_t d) {
  constexpr std::int64_t kLeast = 32;
  return std::max(kLeast, ((k * d) / (k + d) + kLeast - 1) / kLeast * kLeast);
}

LCSM_CHOOSE_KERNELS(ScanKernels, scan_kernels)

}  // namespace lcsm
#endif
