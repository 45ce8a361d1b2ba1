// Moves tiles of steps between memory, [T, D], and shared memory, [channels, T], and the states
// that enter and leave tiles.
#pragma once

#include "lcsm/cuda/modes/products_tile_cuda.cuh"

namespace lcsm {

template <class T>
__device__ unsigned sum_of(unsigned a, unsigned b) {
  if (sizeof(T) == 4) return __float_as_uint(__uint_as_float(a) + __uint_as_float(b));
  return pack(low_half(a) + low_half(b), high_half(a) + high_half(b));
}

template <class Tile, class T>
struct ProductsSteps {
  static constexpr int kPerWord = Tile::kPerWord, kWide = Tile::kWide;
  static constexpr int kItems = 2 * Tile::kWords / Tile::kThreads;  // of a thread
  // 16 bytes each of kPerWord steps.
  struct Item {
    unsigned x[kPerWord][4];
  };
  using Items = Item[kItems];

  const Tile& tile;

  __device__ int half(int) const { return Tile::thread_now() & 1; }
  __device__ int word(int n) const { return (Tile::thread_now() >> 1) + n * (Tile::kThreads / 2); }
  __device__ int first_d(int n) const { return tile.first_d + half(n) * kWide; }
  __device__ bool aligned(const void* data) const {
    return tile.s.D % kWide == 0 && reinterpret_cast<unsigned long long>(data) % 16 == 0;
  }
  // Step `k` of item n in [B, T]; -1 if there is none, or if it is padding and `masked`.
  __device__ long long step(int at, int n, int k, bool masked) const {
    const int p = at * kProductsTile + word(n) * kPerWord + k, steps = tile.s.T;
    const bool valid = p < steps;
    const long long t =
        static_cast<long long>(tile.b) * steps + (valid ? (tile.s.back ? steps - 1 - p : p) : 0);
    const bool padded = masked && tile.s.padding && tile.s.padding[t] != 0;
    return valid && !padded ? t : -1;
  }
  // Loads 16 bytes of a row; 0 beyond its end.
  __device__ void load(const void* from, long long step, int d, unsigned (&x)[4]) const {
    const int count = step < 0 ? 0 : tile.s.D - d;
    const T* const row = static_cast<const T*>(from) + step * tile.s.D + d;
    x[0] = x[1] = x[2] = x[3] = 0;
    if (aligned(from)) {
      if (count > 0) {
        const uint4 all = *reinterpret_cast<const uint4*>(row);
        x[0] = all.x, x[1] = all.y, x[2] = all.z, x[3] = all.w;
      }
    } else {
#pragma unroll
      for (int n = 0; n < kWide; ++n)
        if (n < count) x[n / kPerWord] |= bits(row[n]) << 16 * (n % kPerWord);
    }
  }
  __device__ void store(void* to, long long step, int d, const unsigned (&x)[4]) const {
    const int count = step < 0 ? 0 : tile.s.D - d;
    T* const row = static_cast<T*>(to) + step * tile.s.D + d;
    if (aligned(to)) {
      if (count > 0) *reinterpret_cast<uint4*>(row) = {x[0], x[1], x[2], x[3]};
    } else {
#pragma unroll
      for (int n = 0; n < kWide; ++n)
        if (n < count) put_bits(row + n, x[n / kPerWord] >> 16 * (n % kPerWord));
    }
  }
  __device__ static unsigned bits(Bfloat16 x) { return x.bits; }
  __device__ static unsigned bits(float x) { return __float_as_uint(x); }
  __device__ static void put_bits(Bfloat16* to, unsigned x) {
    to->bits = static_cast<unsigned short>(x);
  }
  __device__ static void put_bits(float* to, unsigned x) { *to = __uint_as_float(x); }

  // Starts loading a tile, without waiting for it. Masked: 0 where padded.
  __device__ void fetch(const void* from, int at, bool masked, Items& items) const {
#pragma unroll
    for (int n = 0; n < kItems; ++n)
#pragma unroll
      for (int k = 0; k < kPerWord; ++k)
        load(from, step(at, n, k, masked), first_d(n), items[n].x[k]);
  }

  // The word of item n's first channel. The other channels have theirs kWords further each.
  __device__ unsigned* place(int which, int n) const {
    return reinterpret_cast<unsigned*>(
        tile.chunks(which, half(n) * kWide).step(word(n) * kPerWord));
  }
  __device__ void put(int which, const Items& items) const {
#pragma unroll
    for (int n = 0; n < kItems; ++n) {
      unsigned* const words = place(which, n);
#pragma unroll
      for (int i = 0; i < kWide; ++i)
        words[i * Tile::kWords] =
            kPerWord == 1
                ? items[n].x[0][i / kPerWord]
                : __byte_perm(items[n].x[0][i / kPerWord], items[n].x[kPerWord - 1][i / kPerWord],
                              i % 2 == 0 ? 0x5410 : 0x7632);
    }
  }
  __device__ void write(void* to, int at, int which, bool masked) const {
#pragma unroll
    for (int n = 0; n < kItems; ++n) {
      const unsigned* const from = place(which, n);
      unsigned words[kWide];
#pragma unroll
      for (int i = 0; i < kWide; ++i) words[i] = from[i * Tile::kWords];
#pragma unroll
      for (int k = 0; k < kPerWord; ++k) {
        const bool keeps = step(at, n, k, masked) >= 0;
        const long long t = step(at, n, k, false);
        unsigned x[4], before[4] = {};
        if (tile.s.adds) load(to, t, first_d(n), before);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          x[i] = kPerWord == 1 ? words[i]
                               : __byte_perm(words[i * kPerWord], words[(i * kPerWord + 1) % kWide],
                                             k == 0 ? 0x5410 : 0x7632);
          if (tile.s.adds) x[i] = sum_of<T>(x[i], before[i]);
          if (!keeps) x[i] = 0;
        }
        store(to, t, first_d(n), x);
      }
    }
  }
};

// The states that enter or leave, for the channels of a block. `row` is a number of a mode. In
// [B, all, D] complex numbers are pairs.
template <class Tile>
struct ProductsEdges {
  const Tile& tile;

  template <class Each>
  __device__ void for_numbers(const Each& each) const {
    for (int n = Tile::thread_now(); n < Tile::kChannels * 2 * tile.pairs; n += Tile::kThreads) {
      const int channel = n % Tile::kChannels, row = n / Tile::kChannels;
      each(channel, row, tile.first_d + channel,
           row < tile.rows && tile.first_d + channel < tile.s.D);
    }
  }
  __device__ long long of_tile(int at, int row, int d) const {  // in [B, tiles, N, parts, D]
    return ((static_cast<long long>(tile.b) * tile.tiles + at) * tile.rows + row) * tile.s.D + d;
  }
  __device__ long long outside(int row, int d) const {
    const long long modes = static_cast<long long>(tile.b) * tile.s.all;
    if (Tile::kParts == 2) return 2 * ((modes + row / 2) * tile.s.D + d) + row % 2;
    return (modes + row) * tile.s.D + d;
  }
  // M is conjugate to gradients.
  __device__ static float sign(int row) {
    return Tile::kBackward && Tile::kParts == 2 && row % 2 == 1 ? -1.0f : 1.0f;
  }

  __device__ void enter(int which, const float* from, int at) const {
    for_numbers([&](int channel, int row, int d, bool valid) {
      tile.entering(which, channel)[row] = valid && from ? from[of_tile(at, row, d)] : 0;
    });
  }
  __device__ void enter(int which, const double* from) const {
    for_numbers([&](int channel, int row, int d, bool valid) {
      tile.entering(which, channel)[row] =
          valid && from ? sign(row) * static_cast<float>(from[outside(row, d)]) : 0;
    });
  }
  __device__ void leave(int which, float* to, int at) const {
    for_numbers([&](int channel, int row, int d, bool valid) {
      if (valid) to[of_tile(at, row, d)] = tile.entering(which, channel)[row];
    });
  }
  __device__ void leave(int which, double* to) const {
    for_numbers([&](int channel, int row, int d, bool valid) {
      if (valid) to[outside(row, d)] = sign(row) * tile.entering(which, channel)[row];
    });
  }
};

}  // namespace lcsm
