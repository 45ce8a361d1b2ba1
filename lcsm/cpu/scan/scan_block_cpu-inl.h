// A block of a scan's steps, for some of its channels: its sizes, and copies into and out of its
// cells; per target (include inside foreach_target).
#if defined(LCSM_SCAN_BLOCK_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_BLOCK_CPU_INL_H_
#undef LCSM_SCAN_BLOCK_CPU_INL_H_
#else
#define LCSM_SCAN_BLOCK_CPU_INL_H_
#endif

#include <algorithm>

#include "lcsm/cpu/scan/scan_cpu.h"
#include "lcsm/cpu/tape_block_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// The values that pad the last vector of channels.
enum class Padding : std::uint8_t {
  kZero,  // for values that are summed
  kLast,  // the last channel, for inputs of a gate, which may be undefined at 0
};

// Inside a block the cells of a strip of channels are contiguous: [strips, rows, width].
template <class T>
class ScanBlock {
 public:
  ScanBlock(const Scan<T>& scan_, const ScanPart& part_)
      : scan(scan_),
        part(part_),
        lanes(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        most(std::min(scan_block_steps(scan.K, scan.D), scan.steps)),
        columns(part.last - part.first),
        padded(up(columns)),
        strip(std::clamp(
            bytes_of_strip() / static_cast<std::int64_t>(sizeof(T)) / most / lanes * lanes,
            std::min(2 * lanes, padded), padded)) {}

  void begin(std::int64_t block) {
    t = block * most;
    rows = std::min(most, scan.steps - t);
  }

  std::int64_t up(std::int64_t count) const { return (count + lanes - 1) / lanes * lanes; }
  Spread spread(std::size_t leaf) const { return scan.tape->values[leaf].spread; }
  std::int64_t blocks() const { return (scan.steps + most - 1) / most; }
  std::int64_t width(std::int64_t at) const { return std::min(strip, padded - at); }
  // The offset of the cells of the strip that begins at a column.
  std::int64_t cells(std::int64_t at) const { return rows * at; }

  // The offset of the part's share of the rows in [shares, B, T, D].
  std::int64_t shared() const { return part.share * scan.B * scan.steps * scan.D; }

  // Copies the part's rows and channels of a memory [K, D].
  void copy_memory(const T* from, T* to) const {
    for (std::int64_t k = part.first_k; k < part.last_k; ++k)
      std::copy_n(from + k * scan.D + part.first, columns, to + k * padded);
  }
  void copy_memory_out(const T* from, T* to) const {
    for (std::int64_t k = part.first_k; k < part.last_k; ++k)
      std::copy_n(from + k * padded, columns, to + k * scan.D + part.first);
  }

  void clear(const Buffer<T>& cells) const { std::fill_n(cells.get(), rows * padded, T(0)); }

  // Copies [B, T, D] into the block's cells.
  void pack(const T* from, T* to, Padding padding) const {
    each_strip([&](std::int64_t channel, std::int64_t cell, std::int64_t count, std::int64_t wide) {
      copy(from + channel, scan.D, to + cell, wide, count);
      for (std::int64_t r = 0; count < wide && r < rows; ++r)
        std::fill(to + cell + r * wide + count, to + cell + (r + 1) * wide,
                  padding == Padding::kLast ? from[channel + r * scan.D + count - 1] : T(0));
    });
  }
  void unpack(const T* from, T* to) const {
    each_strip([&](std::int64_t channel, std::int64_t cell, std::int64_t count, std::int64_t wide) {
      copy(from + cell, wide, to + channel, scan.D, count);
    });
  }

  // Products of the block's cells, written or added to `to`.
  void multiply(const T* a, const T* b, T* to) const {
    each_vector([&](auto d, std::int64_t at) {
      hn::StoreU(hn::Mul(hn::LoadU(d, a + at), hn::LoadU(d, b + at)), d, to + at);
    });
  }
  void add_product(const T* a, const T* b, T* to) const {
    each_vector([&](auto d, std::int64_t at) {
      const auto product = hn::Mul(hn::LoadU(d, a + at), hn::LoadU(d, b + at));
      hn::StoreU(hn::Add(hn::LoadU(d, to + at), product), d, to + at);
    });
  }

  const Scan<T>& scan;
  const ScanPart part;
  const std::int64_t lanes, most, columns, padded, strip;
  std::int64_t t = 0, rows = 0;  // of the current block

 private:
  // The bytes of a strip's cells in each buffer. All buffers fit in L1: about a dozen backward, a
  // few forward.
  std::int64_t bytes_of_strip() const { return scan.d_y ? 4096 : 16384; }

  // Calls work(offset in [B, T, D], offset in the block's cells, columns, padded columns) for each
  // strip.
  template <class Work>
  void each_strip(const Work& work) const {
    const std::int64_t channel = (part.b * scan.steps + t) * scan.D + part.first;
    for (std::int64_t at = 0; at < padded; at += strip)
      work(channel + at, cells(at), std::min(width(at), columns - at), width(at));
  }

  template <class Work>
  void each_vector(const Work& work) const {
    for (std::int64_t at = 0; at < rows * padded; at += lanes) work(Tag<T>(), at);
  }

  // Copies `count` columns of every row of the block.
  void copy(const T* from, std::int64_t from_row, T* to, std::int64_t to_row,
            std::int64_t count) const {
    const Tag<T> d;
    for (std::int64_t r = 0; r < rows; ++r, from += from_row, to += to_row) {
      std::int64_t c = 0;
      for (; c + lanes <= count; c += lanes) hn::StoreU(hn::LoadU(d, from + c), d, to + c);
      for (; c < count; ++c) to[c] = from[c];
    }
  }
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
