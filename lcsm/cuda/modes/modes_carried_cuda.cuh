// What a warp carries from tile to tile.
#pragma once

#include "lcsm/cuda/modes/modes_tile_cuda.cuh"

namespace lcsm {

// A mode of the first direction that its warp carries from tile to tile, in float64: phases stay
// exact in long sequences. In shared memory, behind all else: registers are few.
template <class Tile>
struct CarriedMode {
  using Wide = typename Tile::Wide;
  static constexpr int kParts = Tile::kValue / kModesLanes;
  const Tile& tile;
  const ModesDirectionCuda& of;
  const ModesWalk walk;

  __device__ CarriedMode(const Tile& of_tile, ModesWalk along)
      : tile(of_tile), of(of_tile.s.directions[0]), walk(along) {}

  __device__ double* place(int which) const {
    return reinterpret_cast<double*>(tile.behind()) +
           (tile.warp * 3 + which) * kParts * kModesLanes + tile.lane;
  }
  __device__ Wide get(int which) const {
    Wide value;
#pragma unroll
    for (int p = 0; p < kParts; ++p) value.x[p] = place(which)[p * kModesLanes];
    return value;
  }
  __device__ void set(int which, const Wide& value) const {
#pragma unroll
    for (int p = 0; p < kParts; ++p) place(which)[p * kModesLanes] = value.x[p];
  }
  __device__ long long at() const {  // in [B, N, D]
    return (static_cast<long long>(tile.b) * of.N + tile.warp) * tile.s.D + tile.d;
  }
  // M is conjugate to gradients.
  __device__ Wide turned(const Wide& u) const {
    return walk == ModesWalk::kGradient ? conjugate(u) : u;
  }

  __device__ void enter() const {
    set(0, of.first && tile.inside ? turned(mode_of<kParts>(of.first, at())) : Wide{});
    const Wide q = tile.wide(of.q, tile.warp);
    set(1, squared(q, 7));
    set(2, power(q, tile.length(tile.tiles - 1)));
  }
  __device__ typename Tile::Value u() const { return as<float>(get(0)); }
  __device__ void pass(int n) const {
    set(0, added(get(n + 1 < tile.tiles ? 1 : 2), get(0),
                 as<double>(tile.over_tile(walk, tile.warp, n))));
  }
  __device__ void leave() const {
    if (of.last && tile.inside) put_mode(of.last, at(), turned(get(0)));
  }
};

}  // namespace lcsm
