#include "lcsm/machines/chunk_op.h"

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

// The least distance between anchors, so that they take at most T (K + D) numbers.
std::int64_t anchor_spacing(std::int64_t k, std::int64_t d) {
  return std::max(kChunkSteps, (k * d + k + d - 1) / (k + d));
}

template <class T>
LogDecay<T> log_of(const Tensor& log, std::int64_t b) {
  if (!log.defined()) return {};
  return {data<T>(log, b), log.stride(1), log.stride(2) != 0};
}

// The decay tables: one per worker, which holds one sequence at a time.
template <class T>
class Tables {
 public:
  Tables(const ChunkInputs& in, std::int64_t workers)
      : in_(in), k_(table(in.log_k, workers)), d_(table(in.log_d, workers)) {
    even_ = even_chunks(in.i.size(1));
  }

  Chunks fill(std::int64_t b, std::int64_t worker) const {
    if (!in_.log_k.defined() && !in_.log_d.defined()) return even_;
    const std::int64_t K = in_.e.size(2), D = in_.i.size(2);
    return decay_kernels<T>().tables(in_.i.size(1), K, D, log_of<T>(in_.log_k, b),
                                     log_of<T>(in_.log_d, b), of_k(worker), of_d(worker),
                                     anchor_spacing(K, D));
  }
  DecayTable<T> of_k(std::int64_t worker) const { return of(k_, worker); }
  DecayTable<T> of_d(std::int64_t worker) const { return of(d_, worker); }

 private:
  static Tensor table(const Tensor& log, std::int64_t workers) {
    return log.defined() ? at::empty({workers, 2, log.size(1), log.size(2)}, log.options())
                         : Tensor();
  }
  static DecayTable<T> of(const Tensor& table, std::int64_t worker) {
    if (!table.defined()) return {};
    T* const first = data<T>(table, worker);
    return {first, first + table.stride(1)};
  }

  const ChunkInputs& in_;
  const Tensor k_, d_;  // [workers, scale and inverse, T, N]
  Chunks even_;
};

// g_t = sum of d log o_t, from its values at the anchors: g_{t+1} = g_t - s_t d_s_t + e_t d_e_t.
template <class T>
void gate_gradient(const Chunks& chunks, std::int64_t width, const T* at_anchor, const T* s,
                   const T* d_s, const T* e, const T* d_e, T* g) {
  std::size_t q = 0;
  for (std::int64_t t = 0; t < chunks.starts.back(); ++t) {
    T* const row = g + t * width;
    const std::int64_t anchor = t == chunks.starts[q] ? chunks.anchor[q++] : -1;
    if (anchor >= 0) {
      std::copy(at_anchor + anchor * width, at_anchor + (anchor + 1) * width, row);
      continue;
    }
    const std::int64_t before = (t - 1) * width;
    for (std::int64_t n = 0; n < width; ++n)
      row[n] = g[before + n] - s[before + n] * d_s[before + n] + e[before + n] * d_e[before + n];
  }
}

// Clears g where o < epsilon. There g is only the rounding error of the differences above, and the
// slope of log o, which multiplies g next, is unbounded.
template <class T>
void clear_closed(std::int64_t steps, std::int64_t width, const LogDecay<T>& log, T* g) {
  static const T closed = std::log(std::numeric_limits<T>::epsilon());
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t n = 0; n < width; ++n)
      if (log.data[t * log.step + (log.each ? n : 0)] < closed) g[t * width + n] = 0;
}

class ChunkMachine : public Operation {
 public:
  explicit ChunkMachine(const ChunkKind& kind) : is_(kind) { results = 2; }

  Tensors forward(const Tensors& inputs) const override {
    const ChunkInputs in = chunk_inputs(inputs, is_);
    const std::int64_t B = in.i.size(0), D = in.i.size(2), K = in.e.size(2);
    const Tensor y = at::empty_like(in.i);
    const Tensor m = in.m.defined() ? in.m.clone() : at::empty({B, K, D}, in.i.options());
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "chunk_machine", [&] {
      const double flops = 4.0 * static_cast<double>(in.i.numel() * K);
      const Tables<scalar_t> tables(in, workers_for(B, flops));
      each_sequence(B, flops, [&](std::int64_t b, const Share& share) {
        const Chunks chunks = tables.fill(b, share.worker);
        scalar_t* const memory = data<scalar_t>(m, b);
        if (!in.m.defined()) std::fill_n(memory, K * D, scalar_t(0));
        run_outer_sum(outer_sum<scalar_t>(tables, chunks, share, b, Order::kForward, true, in.e,
                                          in.i, in.s, y, memory),
                      share.threads);
      });
    });
    return {y, m};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const ChunkInputs in = chunk_inputs(inputs, is_);
    const Tensor& y = outputs[0];
    const Tensor d_y = d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(y);
    const std::int64_t B = in.i.size(0), D = in.i.size(2), K = in.e.size(2);
    Tensor d_m;
    if (d_outputs[1].defined())
      d_m = d_outputs[1].clone(at::MemoryFormat::Contiguous);
    else if (is_.continues)
      d_m = at::zeros({B, K, D}, in.i.options());
    ChunkInputs d;
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "chunk_machine_backward",
                               [&] { d = gradients<scalar_t>(in, y, d_y, d_m); });
    Tensors result{d.i, d.e, d.s};
    if (is_.decays_k) result.push_back(d.log_k);
    if (is_.decays_d) result.push_back(d.log_d);
    if (is_.continues) result.push_back(d_m);
    return result;
  }

 private:
  // The outer sum of sequence b; its memory is k x d, or d x k if not deep_is_k.
  template <class T>
  static OuterSum<T> outer_sum(const Tables<T>& tables, const Chunks& chunks, const Share& share,
                               std::int64_t b, Order order, bool deep_is_k, const Tensor& a,
                               const Tensor& x, const Tensor& c, const Tensor& y, T* memory) {
    OuterSum<T> sum;
    sum.deep = a.size(2);
    sum.wide = x.size(2);
    sum.a = data<T>(a, b);
    sum.c = data<T>(c, b);
    sum.x = data<T>(x, b);
    sum.y = data<T>(y, b);
    sum.order = order;
    sum.deep_decay = deep_is_k ? tables.of_k(share.worker) : tables.of_d(share.worker);
    sum.wide_decay = deep_is_k ? tables.of_d(share.worker) : tables.of_k(share.worker);
    sum.chunks = &chunks;
    sum.memory = memory;
    return sum;
  }

  // d_m: in: the gradient of the last memory, out: of the first; undefined: 0, and not wanted.
  template <class T>
  ChunkInputs gradients(const ChunkInputs& in, const Tensor& y, const Tensor& d_y,
                        const Tensor& d_m) const {
    const std::int64_t B = in.i.size(0), T_ = in.i.size(1), D = in.i.size(2), K = in.e.size(2);
    const double flops = 12.0 * static_cast<double>(in.i.numel() * K);
    const std::int64_t workers = workers_for(B, flops);
    const Tables<T> tables(in, workers);
    ChunkInputs d{at::empty_like(in.i), at::empty_like(in.e), at::empty_like(in.s), {}, {}, {}};
    if (is_.decays_k) d.log_k = at::empty_like(in.e);
    if (is_.decays_d) d.log_d = at::empty_like(in.i);
    const std::int64_t anchors =
        is_.decays_k || is_.decays_d ? (T_ - 1) / anchor_spacing(K, D) + 1 : 0;
    const Tensor keep = at::empty({workers, anchors, D, K}, in.i.options()),
                 over_k = at::empty({workers, anchors, K}, in.i.options()),
                 over_d = at::empty({workers, anchors, D}, in.i.options());
    const auto transposed = [](const Tensor& memory) {
      return memory.defined() ? memory.transpose(1, 2).clone(at::MemoryFormat::Contiguous)
                              : Tensor();
    };
    const Tensor m = transposed(in.m), d_mt = transposed(d_m),
                 from_nothing = at::empty({workers, K * D}, in.i.options());
    each_sequence(B, flops, [&](std::int64_t b, const Share& share) {
      const Chunks chunks = tables.fill(b, share.worker);
      const auto run = [&](Order order, bool deep_is_k, const Tensor& a, const Tensor& x,
                           const Tensor& c, const Tensor& out, const Tensor& memory,
                           const Anchors<T>& at_anchors) {
        T* const first =
            memory.defined() ? data<T>(memory, b) : data<T>(from_nothing, share.worker);
        if (!memory.defined()) std::fill_n(first, K * D, T(0));
        OuterSum<T> one =
            outer_sum<T>(tables, chunks, share, b, order, deep_is_k, a, x, c, out, first);
        one.anchors = at_anchors;
        run_outer_sum(one, share.threads);
      };
      Anchors<T> forward, reverse;
      if (anchors > 0) {
        forward.keep = data<T>(keep, share.worker);
        reverse = {nullptr, forward.keep, data<T>(over_k, share.worker),
                   data<T>(over_d, share.worker)};
        std::fill_n(reverse.over_wide, anchors * D, T(0));
      }
      run(Order::kForward, false, in.i, in.e, d_y, d.s, m, forward);
      run(Order::kReverse, false, d_y, in.s, in.i, d.e, d_mt, reverse);
      run(Order::kReverse, true, in.s, d_y, in.e, d.i, d_m, {});
      if (is_.decays_k) {
        gate_gradient<T>(chunks, K, reverse.over_deep, data<T>(in.s, b), data<T>(d.s, b),
                         data<T>(in.e, b), data<T>(d.e, b), data<T>(d.log_k, b));
        clear_closed<T>(T_, K, log_of<T>(in.log_k, b), data<T>(d.log_k, b));
      }
      if (is_.decays_d) {
        gate_gradient<T>(chunks, D, reverse.over_wide, data<T>(y, b), data<T>(d_y, b),
                         data<T>(in.i, b), data<T>(d.i, b), data<T>(d.log_d, b));
        clear_closed<T>(T_, D, log_of<T>(in.log_d, b), data<T>(d.log_d, b));
      }
    });
    return d;
  }

  const ChunkKind is_;
};

// [B, T, N], its last stride 1 or 0.
Tensor rows(const Tensor& log, std::int64_t B, std::int64_t T, std::int64_t N) {
  const Tensor all = log.expand({B, T, N});
  return all.stride(2) == 0 || all.stride(2) == 1 ? all : all.contiguous();
}

}  // namespace

ChunkInputs chunk_inputs(const Tensors& inputs, const ChunkKind& kind) {
  auto next = inputs.begin();
  ChunkInputs in;
  in.i = *next++;
  in.e = *next++;
  in.s = *next++;
  if (kind.decays_k) in.log_k = *next++;
  if (kind.decays_d) in.log_d = *next++;
  if (kind.continues) in.m = *next++;
  return in;
}

Tensors chunk_machine(const ChunkInputs& in, const PendingDecays& pending) {
  const std::int64_t B = in.i.size(0), T = in.i.size(1), D = in.i.size(2), K = in.e.size(2);
  Tensors inputs{in.i.contiguous(), in.e.contiguous(), in.s.contiguous()};
  std::vector<PendingInput> computed_first;
  const auto decays = [&](const Tensor& log, const std::optional<Pending>& by, std::int64_t N) {
    if (by) computed_first.push_back({inputs.size(), *by});
    if (by || log.defined()) inputs.push_back(by ? Tensor() : rows(log, B, T, N));
    return by || log.defined();
  };
  ChunkKind kind;
  kind.decays_k = decays(in.log_k, pending.k, K);
  kind.decays_d = decays(in.log_d, pending.d, D);
  kind.continues = in.m.defined();
  if (kind.continues) inputs.push_back(in.m.contiguous());
  return differentiable(c10::make_intrusive<ChunkMachine>(kind), std::move(inputs), computed_first);
}

}  // namespace lcsm
