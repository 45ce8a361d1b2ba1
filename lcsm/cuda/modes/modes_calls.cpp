#include "lcsm/cuda/modes/modes_calls.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/cuda/modes/products_calls.h"

namespace lcsm {
namespace {

void check(const ModesWork& work) {
  const ModesCuda& modes = work.modes;
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument("the sum of modes on a GPU: expected " + what);
  };
  if (modes.count < 1 || modes.count > 2)
    refuse("one direction or two, got " + std::to_string(modes.count));
  int all = 0;
  for (int n = 0; n < modes.count; ++n) all += modes.directions[n].N;
  if (all < modes.count || (all > kModesMost && !modes_by_products(work)))
    refuse("at most " + std::to_string(kModesMost) + " modes per channel by recurrence, got " +
           std::to_string(all) + "; run more as a convolution");
  if (modes.count == 2 && modes.directions[0].back == modes.directions[1].back)
    refuse("two opposite directions, got the same one twice; run each by itself");
}

// True if all pairs of channels are aligned.
bool are_paired(const ModesWork& work) {
  const ModesCuda& m = work.modes;
  const auto aligned = [&](const void* data) { return is_aligned(data, work.bfloat16 ? 4 : 8); };
  return m.D % 2 == 0 && aligned(m.x) && aligned(m.y) && aligned(m.d_y) && aligned(m.d_x);
}

class ModesCalls {
 public:
  ModesCalls(const ModesWork& work, const Allocate& allocate)
      : work_(work),
        allocate_(allocate),
        m_(work.modes),
        kind_(modes_kind(work)),
        channels_(parts_of(m_.D, kModesLanes)),
        tiles_(modes_tiles(m_.T)) {
    // One direction of few modes is carried along, in a single pass. Otherwise time is split, and
    // the input read twice, as where processors would be idle.
    const int blocks = static_cast<int>(channels_) * m_.B;
    const bool few = m_.count == 1 && m_.directions[0].N <= kModesWarps;
    const int rule = few && 2 * blocks >= 3 * work.processors ? 0 : 4;
    const int each = work.choices.of(Choice::kModesSplit,
                                     split_shape(modes_shape(work), blocks, work.processors), rule);
    m_.segment = parts_of_segment(tiles_, blocks, work.processors, each);
    m_.carried = few && m_.segment == tiles_;
    segments_ = parts_of(tiles_, m_.segment);
    m_.paired = are_paired(work);
    for (int n = 0; n < m_.count; ++n) modes_ += m_.directions[n].N;
  }

  std::vector<KernelCall> forward() {
    if (!m_.carried) {
      for (int n = 0; n < m_.count; ++n)
        if (float*& before = m_.directions[n].before; before == nullptr)
          before = floats("before", modes_kept_count(work_, n));
      launch("ends", false);
      for (int n = 0; n < m_.count; ++n)
        carry(m_.directions[n], m_.directions[n].before, m_.directions[n].back, false);
    }
    launch(pass("forward"), false);
    return calls_;
  }

  std::vector<KernelCall> backward() {
    const std::size_t copies = static_cast<std::size_t>(m_.B) * segments_;
    m_.d_y_x = floats("d_y_x", copies * static_cast<std::size_t>(m_.D));
    for (int n = 0; n < m_.count; ++n) {
      ModesDirectionCuda& of = m_.directions[n];
      of.sums = floats("sums", copies * 2 * numbers(of));
      if (!m_.carried) of.after = floats("after", modes_kept_count(work_, n));
    }
    if (!m_.carried) {
      launch("starts", false);
      for (int n = 0; n < m_.count; ++n)
        carry(m_.directions[n], m_.directions[n].after, !m_.directions[n].back, true);
    }
    launch(pass("backward"), true);
    for (int n = 0; n < m_.count; ++n) gradients(n, static_cast<int>(copies));
    return calls_;
  }

 private:
  std::size_t numbers(const ModesDirectionCuda& of) const {  // per state of one sequence
    return static_cast<std::size_t>(of.N) * (work_.is_complex ? 2 : 1) *
           static_cast<std::size_t>(m_.D);
  }
  float* floats(const char* what, std::size_t count) {
    return static_cast<float*>(allocate_(what, count * sizeof(float)));
  }

  std::string pass(const std::string& part) const {
    const bool one = modes_ == 1 && m_.T % kModesTile == 0 && m_.paired;
    return one ? part + "_one" : part;
  }
  void launch(const std::string& part, bool backward) {
    calls_.push_back(call_of("modes_" + part + kind_ + modes_type(work_),
                             {channels_, segments_, static_cast<unsigned>(m_.B)},
                             {kModesLanes, kModesWarps, 1}, m_));
    calls_.back().shared_bytes =
        static_cast<unsigned>(modes_bytes(modes_, work_.is_complex ? 2 : 1, backward));
  }
  void carry(const ModesDirectionCuda& of, float* starts, bool back, bool gradient) {
    const ModesCarryCuda argument{m_.B, m_.T,     of.N, m_.D,   of.N,     kModesTile,
                                  back, gradient, of.q, starts, of.first, of.last};
    const long long threads = static_cast<long long>(m_.B) * of.N * m_.D;
    calls_.push_back(call_of("modes_carry" + kind_, {parts_of(threads, kModesThreads), 1, 1},
                             {kModesThreads, 1, 1}, argument));
  }
  void gradients(int n, int copies) {
    const ModesDirectionCuda& of = m_.directions[n];
    const ModesGradientsCuda argument{
        copies,  of.N,         m_.D,         of.late,
        of.q,    of.c,         of.sums,      m_.d_y_x,
        nullptr, work_.d_q[n], work_.d_c[n], n == 0 ? work_.d_shortcut : nullptr};
    calls_.push_back(call_of("modes_gradients" + kind_, {channels_, static_cast<unsigned>(of.N), 1},
                             {kModesLanes, kModesWarps, 1}, argument));
  }

  const ModesWork& work_;
  const Allocate& allocate_;
  ModesCuda m_;
  const std::string kind_;
  const unsigned channels_;
  const int tiles_;
  unsigned segments_ = 1;
  int modes_ = 0;  // of all directions
  std::vector<KernelCall> calls_;
};

}  // namespace

std::string modes_kind(const ModesWork& work) { return work.is_complex ? "_complex" : "_real"; }
std::string modes_shape(const ModesWork& work) {
  return (work.is_complex ? "complex" : "real") + modes_type(work);
}
std::string modes_type(const ModesWork& work) { return work.bfloat16 ? "_bfloat16" : "_float32"; }

// By recurrence, the cost of a step grows with the number of modes. By products, a group of eight
// modes costs as much as four of them do by recurrence, but a block also pays for its tables and a
// whole tile: as much as five modes cost over one tile.
bool modes_by_products(const ModesWork& work) {
  const ModesCuda& m = work.modes;
  const int from =
      work.choices.of(Choice::kProductsFrom, modes_shape(work), kProductsGroup / 2 + 1);
  for (int n = 0; n < m.count; ++n) {
    const int pairs = work.is_complex ? m.directions[n].N : (m.directions[n].N + 1) / 2;
    if (pairs < from || static_cast<long long>(pairs) * m.T < from * kProductsTile) return false;
  }
  return m.count > 0;
}

std::size_t modes_kept_count(const ModesWork& work, int direction) {
  const ModesCuda& m = work.modes;
  const int tiles = modes_by_products(work) ? products_tiles(m.T) : modes_tiles(m.T);
  return static_cast<std::size_t>(m.B) * static_cast<std::size_t>(tiles) *
         static_cast<std::size_t>(m.directions[direction].N) * (work.is_complex ? 2 : 1) *
         static_cast<std::size_t>(m.D);
}

std::vector<KernelCall> modes_forward_calls(const ModesWork& work, const Allocate& allocate) {
  check(work);
  if (modes_by_products(work)) return products_forward_calls(work, allocate);
  return ModesCalls(work, allocate).forward();
}
std::vector<KernelCall> modes_backward_calls(const ModesWork& work, const Allocate& allocate) {
  check(work);
  if (modes_by_products(work)) return products_backward_calls(work, allocate);
  return ModesCalls(work, allocate).backward();
}

CudaSource modes_source(const ModesWork& work) {
  const std::string kind = modes_kind(work), both = kind + modes_type(work);
  const bool products = modes_by_products(work);
  return {.text = std::string("#include \"lcsm/cuda/modes/modes_cuda.cuh\"\n") +
                  (products ? "#include \"lcsm/cuda/modes/products_cuda.cuh\"\nLCSM_PRODUCTS"
                            : "LCSM_MODES") +
                  both + "()\nLCSM_MODES" + kind + "()\n",
          .name = (products ? "products" : "modes") + both + ".cu"};
}

}  // namespace lcsm
