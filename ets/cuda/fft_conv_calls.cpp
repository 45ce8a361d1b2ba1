#include "ets/cuda/fft_conv_calls.h"

#include <algorithm>
#include <limits>

#include "ets/cuda/kernel_headers.h"

namespace ets {
namespace {

using lcsm::parts_of;

class Steps {
 public:
  Steps(const FftConvWork& work, const lcsm::Allocate& allocate)
      : work_(work), allocate_(allocate), c_(work.conv) {
    c_.points = fft_conv_points(c_);
    stride_ = c_.points + kFftConvPad;
    c_.channel_rows = rows(c_.D);
    c_.rows = rows(c_.B * c_.D);
  }

  std::vector<FftConvStep> forward() {
    kernels_to_frequencies();
    to_frequencies(work_.x, c_.rows);
    multiply("forward");
    from_frequencies(work_.y, c_.rows);
    return steps_;
  }

  std::vector<FftConvStep> backward() {
    c_.gradient_rows = rows(c_.B * c_.D);
    kernels_to_frequencies();
    to_frequencies(work_.x, c_.rows);
    to_frequencies(work_.d_y, c_.gradient_rows);
    multiply("backward");
    from_frequencies(work_.d_x, c_.rows);
    transform(c_.channel_rows, c_.D, true);
    launch("unpack_taps", {channels(), parts_of(c_.K, kFftConvThreads), 1}, kFlat, c_);
    return steps_;
  }

 private:
  using Block = std::array<unsigned, 3>;
  static constexpr Block kFlat = {kFftConvThreads, 1, 1}, kTile = {kFftConvTile, kFftConvWarps, 1};

  unsigned channels() const { return static_cast<unsigned>(c_.D); }
  float* rows(int count) {
    return static_cast<float*>(allocate_("rows", sizeof(float) * static_cast<std::size_t>(count) *
                                                     static_cast<std::size_t>(stride_)));
  }

  void launch(const std::string& name, Block grid, Block block, const FftConvCuda& argument) {
    steps_.emplace_back(lcsm::call_of("fft_conv_" + name, grid, block, argument));
  }
  // Fewer than 2^31 numbers at a time: cuFFT is given sizes as int, and may index with them.
  void transform(float* data, int count, bool inverse) {
    const int most = std::numeric_limits<int>::max() / stride_;
    for (; count > most; count -= most, data += static_cast<std::ptrdiff_t>(most) * stride_)
      steps_.emplace_back(FftCall{c_.points, stride_, most, inverse, data});
    steps_.emplace_back(FftCall{c_.points, stride_, count, inverse, data});
  }
  void kernels_to_frequencies() {
    launch("pack_taps", {channels(), parts_of(c_.points, kFftConvThreads), 1}, kFlat, c_);
    transform(c_.channel_rows, c_.D, false);
  }
  void multiply(const std::string& pass) {
    launch("multiply_" + pass, {channels(), parts_of(c_.points / 2 + 1, kFftConvThreads), 1}, kFlat,
           c_);
  }
  // Padding is left out of x and of its gradient.
  void to_frequencies(const void* from, float* to) {
    FftConvCuda own = c_;
    own.from = from, own.rows = to;
    if (from == work_.d_y) own.padding = nullptr;
    transpose("pack", c_.points, own);
    transform(to, c_.B * c_.D, false);
  }
  void from_frequencies(void* to, float* from) {
    FftConvCuda own = c_;
    own.to = to, own.rows = from;
    if (to == work_.y) own.padding = nullptr;
    transform(from, c_.B * c_.D, true);
    transpose("unpack", c_.T, own);
  }
  void transpose(const std::string& name, int steps, const FftConvCuda& argument) {
    launch(
        name + (work_.bfloat16 ? "_bfloat16" : "_float32"),
        {parts_of(c_.D, kFftConvTile), parts_of(steps, kFftConvTile), static_cast<unsigned>(c_.B)},
        kTile, argument);
  }

  const FftConvWork& work_;
  const lcsm::Allocate& allocate_;
  FftConvCuda c_;
  int stride_ = 0;
  std::vector<FftConvStep> steps_;
};

}  // namespace

int fft_conv_points(const FftConvCuda& c) {
  const int way = std::min(c.K - 1 + (c.directions == 2 ? c.lag : 0), c.T - 1);
  int points = std::numeric_limits<int>::max();
  for (const int odd : {1, 3, 5, 7}) {
    int size = odd * kFftConvPad;
    while (size < c.T + way) size *= 2;
    points = std::min(points, size);
  }
  return points;
}

std::vector<FftConvStep> fft_conv_forward_steps(const FftConvWork& work,
                                                const lcsm::Allocate& allocate) {
  return Steps(work, allocate).forward();
}
std::vector<FftConvStep> fft_conv_backward_steps(const FftConvWork& work,
                                                 const lcsm::Allocate& allocate) {
  return Steps(work, allocate).backward();
}

lcsm::CudaSource fft_conv_source() {
  return {.text = "#include \"ets/cuda/fft_conv_cuda.cuh\"\nETS_FFT_CONV_KERNELS()\n",
          .name = "fft_conv.cu",
          .headers = kernel_headers()};
}

}  // namespace ets
