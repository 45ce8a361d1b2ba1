#include "lcsm/cuda/modes/products_calls.h"

#include <algorithm>

namespace lcsm {
namespace {

// A pass over some modes of a direction.
struct Pass {
  const ModesDirectionCuda& of;
  int direction, first, N;
};

class ProductsCalls {
 public:
  ProductsCalls(const ModesWork& work, const Allocate& allocate)
      : work_(work),
        allocate_(allocate),
        m_(work.modes),
        kind_(modes_kind(work)),
        parts_(work.is_complex ? 2 : 1),
        channels_(products_channels(work.bfloat16)),
        tiles_(products_tiles(m_.T)) {
    const int most = kProductsPairs * 2 / parts_;
    for (int n = 0; n < m_.count; ++n)
      for (int first = 0; first < m_.directions[n].N; first += most)
        passes_.push_back({m_.directions[n], n, first, std::min(most, m_.directions[n].N - first)});
    // A block has a multiprocessor to itself. Where channels leave some idle, time is split, and
    // the input read twice.
    const int blocks = static_cast<int>(parts_of(m_.D, channels_)) * m_.B;
    const int each = work.choices.of(Choice::kProductsSplit,
                                     split_shape(modes_shape(work), blocks, work.processors),
                                     4 * blocks >= 3 * work.processors ? 0 : 2);
    segment_ = parts_of_segment(tiles_, blocks, work.processors, each);
    carried_ = segment_ == tiles_;
    segments_ = parts_of(tiles_, segment_);
  }

  std::vector<KernelCall> forward() {
    for (const Pass& pass : passes_) {
      ModesProductsCuda p = argument(pass);
      p.y = m_.y;
      p.before = kept(pass);
      if (!carried_) {
        if (p.before == nullptr) p.before = floats("before", edges(pass));
        launch("ends", p, ProductsPass::kForward);
        carry(pass, p, p.before, false);
      }
      launch("forward", p, ProductsPass::kForward);
    }
    return calls_;
  }

  std::vector<KernelCall> backward() {
    const std::size_t copies = static_cast<std::size_t>(m_.B) * segments_;
    for (const Pass& pass : passes_) {
      ModesProductsCuda p = argument(pass);
      p.d_y = m_.d_y;
      p.d_x = m_.d_x;
      p.before = kept(pass);
      p.sums = floats("sums", copies * 2 * numbers(pass));
      p.lags = floats("lags", copies * kProductsSteps * static_cast<std::size_t>(m_.D));
      if (!carried_) {
        p.after = floats("after", edges(pass));
        launch("starts", p, ProductsPass::kForward);
        carry(pass, p, p.after, true);
      }
      launch("backward", p, ProductsPass::kBackward);
      gradients(pass, p, static_cast<int>(copies));
    }
    return calls_;
  }

 private:
  std::size_t numbers(const Pass& pass) const {  // per state of one sequence
    return static_cast<std::size_t>(pass.N * parts_) * static_cast<std::size_t>(m_.D);
  }
  std::size_t edges(const Pass& pass) const {
    return static_cast<std::size_t>(m_.B * tiles_) * numbers(pass);
  }
  std::ptrdiff_t before_it(const Pass& pass) const {  // numbers of a state that other passes have
    return static_cast<std::ptrdiff_t>(pass.first) * parts_ * m_.D;
  }
  template <class Number>
  Number* from(Number* all, const Pass& pass) const {
    return all == nullptr ? nullptr : all + before_it(pass);
  }
  float* kept(const Pass& pass) const {
    return pass.of.before == nullptr ? nullptr : pass.of.before + m_.B * tiles_ * before_it(pass);
  }
  float* floats(const char* what, std::size_t count) {
    return static_cast<float*>(allocate_(what, count * sizeof(float)));
  }

  ModesProductsCuda argument(const Pass& pass) const {
    ModesProductsCuda p{};
    p.B = m_.B, p.T = m_.T, p.D = m_.D;
    p.N = pass.N, p.all = pass.of.N;
    p.segment = segment_;
    p.back = pass.of.back, p.late = pass.of.late;
    p.adds = &pass != passes_.data();
    p.carried = carried_;
    p.x = m_.x;
    p.padding = m_.padding;
    if (!p.adds) p.shortcut = m_.shortcut;
    p.q = from(pass.of.q, pass), p.c = from(pass.of.c, pass);
    p.first = from(pass.of.first, pass), p.last = from(pass.of.last, pass);
    return p;
  }
  void launch(const std::string& part, const ModesProductsCuda& p, ProductsPass pass) {
    calls_.push_back(call_of("products_" + part + kind_ + modes_type(work_),
                             {parts_of(m_.D, channels_), segments_, static_cast<unsigned>(m_.B)},
                             {static_cast<unsigned>(32 * channels_), 1, 1}, p));
    calls_.back().shared_bytes =
        static_cast<unsigned>(products_bytes(products_pairs(p.N, parts_), work_.bfloat16, pass));
  }
  void carry(const Pass& pass, const ModesProductsCuda& p, float* starts, bool gradient) {
    const ModesCarryCuda argument{m_.B,     m_.T,     pass.N, m_.D,   p.all,   kProductsTile,
                                  gradient, gradient, p.q,    starts, p.first, p.last};
    const long long threads = static_cast<long long>(m_.B) * pass.N * m_.D;
    calls_.push_back(call_of("modes_carry" + kind_, {parts_of(threads, kModesThreads), 1, 1},
                             {kModesThreads, 1, 1}, argument));
  }
  void gradients(const Pass& pass, const ModesProductsCuda& p, int copies) {
    const auto n = static_cast<std::size_t>(pass.direction);
    const ModesGradientsCuda argument{copies,
                                      pass.N,
                                      m_.D,
                                      pass.of.late,
                                      p.q,
                                      p.c,
                                      p.sums,
                                      nullptr,
                                      p.lags,
                                      from(work_.d_q[n], pass),
                                      from(work_.d_c[n], pass),
                                      p.adds ? nullptr : work_.d_shortcut};
    calls_.push_back(call_of("modes_gradients" + kind_,
                             {parts_of(m_.D, kModesLanes), static_cast<unsigned>(pass.N), 1},
                             {kModesLanes, kModesWarps, 1}, argument));
  }

  const ModesWork& work_;
  const Allocate& allocate_;
  const ModesCuda m_;
  const std::string kind_;
  const int parts_, channels_, tiles_;
  bool carried_ = true;
  int segment_ = 1;
  unsigned segments_ = 1;
  std::vector<Pass> passes_;
  std::vector<KernelCall> calls_;
};

}  // namespace

std::vector<KernelCall> products_forward_calls(const ModesWork& work, const Allocate& allocate) {
  return ProductsCalls(work, allocate).forward();
}
std::vector<KernelCall> products_backward_calls(const ModesWork& work, const Allocate& allocate) {
  return ProductsCalls(work, allocate).backward();
}

}  // namespace lcsm
