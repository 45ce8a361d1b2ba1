#include "lcsm/cuda/wkv/wkv_calls.h"

#include <algorithm>

#include "lcsm/cuda/driver/choices.h"

namespace lcsm {
namespace {

class WkvCalls {
 public:
  WkvCalls(const WkvWork& work, const Allocate& allocate)
      : work_(work), allocate_(allocate), s_(work.wkv) {
    // Each segment but the last (backward: the first) is read twice, so time is split only if the
    // channels leave processors idle. Two blocks fit a processor.
    const int blocks = std::max(static_cast<int>(channels()) * s_.B, 1), tiles = wkv_tiles(s_.T);
    s_.segment =
        parts_of_segment(tiles, blocks, work.processors, blocks >= work.processors ? 0 : 2);
    segments_ = static_cast<unsigned>((tiles + s_.segment - 1) / s_.segment);
  }

  std::vector<KernelCall> forward() { return passes("ends", 3, "forward"); }
  std::vector<KernelCall> backward() {
    s_.d_w_u = floats("d_w_u", 2);
    passes("starts", 4, "backward");
    const long long columns = 2ll * s_.D;
    const long long copies = static_cast<long long>(s_.B) * segments_;
    const ScanSumCuda sum{s_.d_w_u, work_.d_w_u, copies, 1, columns, ScanKeep::kN};
    calls_.push_back(call_of("wkv_sum", {static_cast<unsigned>(scan_sum_blocks(sum)), 1, 1},
                             {kScanTile, kScanWarps, 1}, sum));
    return calls_;
  }

 private:
  unsigned channels() const { return parts_of(s_.D, kWkvLanes); }
  // [B, segments, numbers, D]
  float* floats(const char* what, std::size_t numbers) {
    const std::size_t count =
        static_cast<std::size_t>(s_.B) * segments_ * numbers * static_cast<std::size_t>(s_.D);
    return static_cast<float*>(allocate_(what, count * sizeof(float)));
  }
  std::vector<KernelCall> passes(const std::string& ends, std::size_t numbers,
                                 const std::string& pass) {
    if (segments_ > 1) {
      s_.ends = floats("ends", numbers);
      launch(ends);
    }
    launch(pass);
    return calls_;
  }
  void launch(const std::string& part) {
    calls_.push_back(call_of("wkv_" + part + (work_.bfloat16 ? "_bfloat16" : "_float32"),
                             {channels(), segments_, static_cast<unsigned>(s_.B)},
                             {kWkvLanes, kWkvWarps, 1}, s_));
  }

  const WkvWork& work_;
  const Allocate& allocate_;
  WkvCuda s_;
  unsigned segments_ = 1;
  std::vector<KernelCall> calls_;
};

}  // namespace

std::size_t wkv_kept_count(const WkvCuda& wkv) {
  return 2 * static_cast<std::size_t>(wkv.B) * static_cast<std::size_t>(wkv_parts(wkv.T)) *
         static_cast<std::size_t>(wkv.D);
}

std::vector<KernelCall> wkv_forward_calls(const WkvWork& work, const Allocate& allocate) {
  return WkvCalls(work, allocate).forward();
}
std::vector<KernelCall> wkv_backward_calls(const WkvWork& work, const Allocate& allocate) {
  return WkvCalls(work, allocate).backward();
}

CudaSource wkv_source(const WkvWork& work) {
  const std::string type = work.bfloat16 ? "bfloat16" : "float32";
  return {.text = "#include \"lcsm/cuda/wkv/wkv_cuda.cuh\"\nLCSM_WKV_" + type + "()\nLCSM_WKV()\n",
          .name = "wkv_" + type + ".cu"};
}

}  // namespace lcsm
