#include "lcsm/cpu/philox_cpu.h"

#include <algorithm>
#include <cstring>

#include "lcsm/base/philox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/philox_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kNumbers = 8;  // per counter

#if HWY_TARGET == HWY_SCALAR
void numbers_of(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                std::int64_t counters, std::uint16_t* numbers) {
  for (std::int64_t n = 0; n < counters; ++n, ++counter[0]) {
    const auto words = philox(counter, key);
    std::memcpy(numbers + kNumbers * n, words.data(), sizeof words);
  }
}
#else
// The lower half of a 64-bit lane holds a word; the upper half is never read.
void numbers_of(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                std::int64_t counters, std::uint16_t* numbers) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::Repartition<std::uint32_t, decltype(d)> words;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto a_factor = hn::Set(words, 0xD2511F53), b_factor = hn::Set(words, 0xCD9E8D57);
  const auto word = hn::Set(d, 0xffffffff);
  HWY_ALIGN std::uint64_t pairs[2 * HWY_MAX_BYTES / sizeof(std::uint64_t)];
  for (std::int64_t n = 0; n < counters; n += lanes) {
    auto c0 = hn::Add(hn::Set(d, counter[0] + static_cast<std::uint64_t>(n)), hn::Iota(d, 0)),
         c1 = hn::Set(d, counter[1]), c2 = hn::Set(d, counter[2]), c3 = hn::Set(d, counter[3]);
    auto key0 = hn::Set(d, key[0]), key1 = hn::Set(d, key[1]);
    for (int round = 0; round < 10; ++round) {
      const auto a = hn::MulEven(hn::BitCast(words, c0), a_factor),
                 b = hn::MulEven(hn::BitCast(words, c2), b_factor);
      c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c1), key0);
      c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c3), key1);
      c1 = b;
      c3 = a;
      key0 = hn::Add(key0, hn::Set(d, 0x9E3779B9));
      key1 = hn::Add(key1, hn::Set(d, 0xBB67AE85));
    }
    hn::StoreInterleaved2(hn::Or(hn::And(c0, word), hn::ShiftLeft<32>(c1)),
                          hn::Or(hn::And(c2, word), hn::ShiftLeft<32>(c3)), d, pairs);
    std::memcpy(
        numbers + kNumbers * n, pairs,
        static_cast<std::size_t>(kNumbers * std::min(lanes, counters - n)) * sizeof *numbers);
  }
}
#endif

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

HWY_EXPORT(numbers_of);

void philox_numbers(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                    std::int64_t counters, std::uint16_t* numbers) {
  HWY_DYNAMIC_DISPATCH(numbers_of)(counter, key, counters, numbers);
}

}  // namespace lcsm
#endif
