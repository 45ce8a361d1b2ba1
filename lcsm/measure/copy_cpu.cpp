#include "lcsm/measure/copy_cpu.h"

#include <emmintrin.h>  // SSE2: every x86-64 has it, and memory is slower than 16 bytes a store

namespace lcsm {
namespace {

constexpr std::size_t kLine = 64;  // bytes of a cache line, four vectors

template <class Store>
void copy_lines(void* to, const void* from, std::size_t bytes, Store store) {
  auto* y = static_cast<float*>(to);
  const auto* x = static_cast<const float*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(float); i += kLine / sizeof(float)) {
    const __m128 a = _mm_load_ps(x + i), b = _mm_load_ps(x + i + 4);
    const __m128 c = _mm_load_ps(x + i + 8), d = _mm_load_ps(x + i + 12);
    store(y + i, a);
    store(y + i + 4, b);
    store(y + i + 8, c);
    store(y + i + 12, d);
    asm volatile("" ::: "memory");  // keeps the loop from becoming a call of memcpy
  }
}

}  // namespace

void copy_ordinary(void* to, const void* from, std::size_t bytes) {
  copy_lines(to, from, bytes, [](float* p, __m128 v) { _mm_store_ps(p, v); });
}

void copy_streaming(void* to, const void* from, std::size_t bytes) {
  copy_lines(to, from, bytes, [](float* p, __m128 v) { _mm_stream_ps(p, v); });
  _mm_sfence();
}

}  // namespace lcsm
