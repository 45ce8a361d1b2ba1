#include "lcsm/chunk_op.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "lcsm/sweeps.h"

namespace lcsm {
namespace {

using at::Tensor;

template <class T>
T* data(const Tensor& tensor, std::int64_t b) {
  return tensor.defined() ? const_cast<T*>(tensor.const_data_ptr<T>()) + b * tensor.stride(0)
                          : nullptr;
}

template <class T>
class Tables {
 public:
  // At least as many steps between anchors as keep them within T (K + D) numbers.
  Tables(const ChunkInputs& in, std::int64_t k, std::int64_t d)
      : scale_k_(table(in.log_k)),
        inverse_k_(table(in.log_k)),
        scale_d_(table(in.log_d)),
        inverse_d_(table(in.log_d)) {
    const std::int64_t B = in.i.size(0), T_ = in.i.size(1);
    const std::int64_t spacing = std::max(kChunkSteps, (k * d + k + d - 1) / (k + d));
    chunks.resize(static_cast<std::size_t>(in.log_k.defined() || in.log_d.defined() ? B : 1));
    const auto fill = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b)
        chunks[static_cast<std::size_t>(b)] = decay_kernels<T>().tables(
            T_, k, d, log_of(in.log_k, b), log_of(in.log_d, b), of_k(b), of_d(b), spacing);
    };
    const auto rows = static_cast<std::int64_t>(chunks.size());
    if (threads_for(8.0 * static_cast<double>(rows * T_ * (k + d))) == 1)
      fill(0, rows);
    else
      at::parallel_for(0, rows, 1, fill);
    for (const Chunks& each : chunks) anchors = std::max(anchors, each.anchors);
  }

  DecayTable<T> of_k(std::int64_t b) const { return {data<T>(scale_k_, b), data<T>(inverse_k_, b)}; }
  DecayTable<T> of_d(std::int64_t b) const { return {data<T>(scale_d_, b), data<T>(inverse_d_, b)}; }
  const Chunks& chunks_of(std::int64_t b) const {
    return chunks[chunks.size() == 1 ? 0 : static_cast<std::size_t>(b)];
  }

  std::int64_t anchors = 0;  // the most of any sequence

 private:
  static Tensor table(const Tensor& log) {
    return log.defined() ? at::empty(log.sizes(), log.options()) : Tensor();
  }
  static LogDecay<T> log_of(const Tensor& log, std::int64_t b) {
    if (!log.defined()) return {};
    return {data<T>(log, b), log.stride(1), log.stride(2) != 0};
  }

  const Tensor scale_k_, inverse_k_, scale_d_, inverse_d_;
  std::vector<Chunks> chunks;
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

class ChunkMachine : public Operation {
 public:
  ChunkMachine(bool decays_k, bool decays_d, bool continues)
      : decays_k_(decays_k), decays_d_(decays_d), continues_(continues) {
    results = 2;
  }

  Tensors forward(const Tensors& inputs) const override {
    const ChunkInputs in = named(inputs);
    const std::int64_t B = in.i.size(0), D = in.i.size(2), K = in.e.size(2);
    const Tensor y = at::empty_like(in.i);
    const Tensor m = in.m.defined() ? in.m.clone() : at::zeros({B, K, D}, in.i.options());
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "chunk_machine", [&] {
      const Tables<scalar_t> tables(in, K, D);
      run<scalar_t>(tables, Order::kForward, in.e, in.i, in.s, y, m);
    });
    return {y, m};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const ChunkInputs in = named(inputs);
    const Tensor& y = outputs[0];
    const Tensor d_y = d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(y);
    const std::int64_t B = in.i.size(0), D = in.i.size(2), K = in.e.size(2);
    const Tensor d_m = d_outputs[1].defined() ? d_outputs[1].clone(at::MemoryFormat::Contiguous)
                                              : at::zeros({B, K, D}, in.i.options());
    ChunkInputs d;
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "chunk_machine_backward",
                               [&] { d = gradients<scalar_t>(in, y, d_y, d_m); });
    Tensors result{d.i, d.e, d.s};
    if (decays_k_) result.push_back(d.log_k);
    if (decays_d_) result.push_back(d.log_d);
    if (continues_) result.push_back(d_m);
    return result;
  }

 private:
  ChunkInputs named(const Tensors& inputs) const {
    auto next = inputs.begin();
    ChunkInputs in;
    in.i = *next++;
    in.e = *next++;
    in.s = *next++;
    if (decays_k_) in.log_k = *next++;
    if (decays_d_) in.log_d = *next++;
    if (continues_) in.m = *next++;
    return in;
  }

  // One sweep over the batch; `deep` and `wide` decays follow from which of a and x runs over k.
  template <class T>
  void run(const Tables<T>& tables, Order order, const Tensor& a, const Tensor& x, const Tensor& c,
           const Tensor& y, const Tensor& memory, const Tensor& keep = {}, const Tensor& meet = {},
           const Tensor& over_deep = {}, const Tensor& over_wide = {}, bool deep_is_k = true) const {
    const std::int64_t groups = over_wide.defined() ? over_wide.size(1)
                                                    : column_groups<T>(x.size(0), x.size(2));
    run_sweeps<T>(x.size(0), groups, [&](std::int64_t b, std::int64_t group) {
      Sweep<T> sweep;
      sweep.deep = a.size(2);
      sweep.wide = x.size(2);
      sweep.a = data<T>(a, b);
      sweep.c = data<T>(c, b);
      sweep.x = data<T>(x, b);
      sweep.y = data<T>(y, b);
      sweep.order = order;
      sweep.deep_decay = deep_is_k ? tables.of_k(b) : tables.of_d(b);
      sweep.wide_decay = deep_is_k ? tables.of_d(b) : tables.of_k(b);
      sweep.chunks = &tables.chunks_of(b);
      sweep.memory = data<T>(memory, b);
      sweep.anchors.keep = data<T>(keep, b);
      sweep.anchors.meet = data<T>(meet, b);
      sweep.anchors.over_deep = data<T>(over_deep, b);
      if (over_wide.defined())
        sweep.anchors.over_wide = data<T>(over_wide, b) + group * over_wide.stride(1);
      return sweep;
    });
  }

  // d_m: of the last memory; becomes that of the first.
  template <class T>
  ChunkInputs gradients(const ChunkInputs& in, const Tensor& y, const Tensor& d_y,
                        const Tensor& d_m) const {
    const std::int64_t B = in.i.size(0), D = in.i.size(2), K = in.e.size(2);
    const at::TensorOptions options = in.i.options();
    const Tables<T> tables(in, K, D);
    ChunkInputs d{at::empty_like(in.i), at::empty_like(in.e), at::empty_like(in.s), {}, {}, {}};
    Tensor keep, over_k, over_d;
    if (decays_k_ || decays_d_) {
      keep = at::empty({B, tables.anchors, D, K}, options);
      over_k = at::empty({B, tables.anchors, K}, options);
      over_d = at::zeros({B, column_groups<T>(B, K), tables.anchors, D}, options);
    }
    const Tensor m = in.m.defined() ? in.m.transpose(1, 2).clone(at::MemoryFormat::Contiguous)
                                    : at::zeros({B, D, K}, options);
    const Tensor d_mt = d_m.transpose(1, 2).clone(at::MemoryFormat::Contiguous);
    run<T>(tables, Order::kForward, in.i, in.e, d_y, d.s, m, keep, {}, {}, {}, false);
    run<T>(tables, Order::kReverse, d_y, in.s, in.i, d.e, d_mt, {}, keep, over_k, over_d, false);
    run<T>(tables, Order::kReverse, in.s, d_y, in.e, d.i, d_m);
    if (decays_k_) {
      d.log_k = at::empty_like(in.e);
      of_gate<T>(tables, over_k, in.s, d.s, in.e, d.e, d.log_k);
    }
    if (decays_d_) {
      d.log_d = at::empty_like(in.i);
      of_gate<T>(tables, over_d.sum(1), y, d_y, in.i, d.i, d.log_d);
    }
    return d;
  }

  template <class T>
  static void of_gate(const Tables<T>& tables, const Tensor& at_anchor, const Tensor& s,
                      const Tensor& d_s, const Tensor& e, const Tensor& d_e, const Tensor& g) {
    const std::int64_t B = g.size(0), width = g.size(2);
    at::parallel_for(0, B, std::max<std::int64_t>(1, 100000 / (g.size(1) * width)),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t b = begin; b < end; ++b)
                         gate_gradient<T>(tables.chunks_of(b), width, data<T>(at_anchor, b),
                                          data<T>(s, b), data<T>(d_s, b), data<T>(e, b),
                                          data<T>(d_e, b), data<T>(g, b));
                     });
  }

  const bool decays_k_, decays_d_, continues_;
};

// [B, T, N], its last stride 1 or 0.
Tensor rows(const Tensor& log, std::int64_t B, std::int64_t T, std::int64_t N) {
  const Tensor all = log.expand({B, T, N});
  return all.stride(2) == 0 || all.stride(2) == 1 ? all : all.contiguous();
}

}  // namespace

Tensors chunk_machine(const ChunkInputs& in) {
  const std::int64_t B = in.i.size(0), T = in.i.size(1), D = in.i.size(2), K = in.e.size(2);
  Tensors inputs{in.i.contiguous(), in.e.contiguous(), in.s.contiguous()};
  if (in.log_k.defined()) inputs.push_back(rows(in.log_k, B, T, K));
  if (in.log_d.defined()) inputs.push_back(rows(in.log_d, B, T, D));
  if (in.m.defined()) inputs.push_back(in.m.contiguous());
  return differentiable(c10::make_intrusive<ChunkMachine>(in.log_k.defined(), in.log_d.defined(),
                                                 in.m.defined()),
               inputs);
}

}  // namespace lcsm
