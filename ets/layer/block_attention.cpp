#include "ets/layer/block_attention.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cummin.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "lcsm/tensors/operation.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::Tensors;

constexpr std::int64_t kBlock = 256;  // steps: scores, weights and gradients of a block fit a cache
constexpr double kLeast = -1e30;      // below all scores, above minus infinity
constexpr double kMean = 0.707107, kSpread = 0.282095;  // of laplace

struct Span {
  std::int64_t from, size;
  Tensor of(const Tensor& rows) const { return rows.narrow(1, from, size); }
};

struct Blocks : lcsm::Operation {
  std::string kind;
  bool causal = true, has_distance = false, on_gpu = false;
  Tensor padding;  // [N, n] or undefined
  Tensor lonely;   // [N, n]: steps that see only padding

  bool is_softmax() const { return kind == "softmax"; }

  std::vector<Span> spans(std::int64_t n) const {
    std::vector<Span> all;
    for (std::int64_t from = 0; from < n; from += kBlock)
      all.push_back({from, std::min(kBlock, n - from)});
    return all;
  }

  // The bias of the scores of a pair of blocks, for each difference of block numbers.
  Tensors biases(const Tensors& inputs) const {
    Tensors all;
    if (!has_distance) return all;
    const std::int64_t n = inputs[0].size(1), count = (n + kBlock - 1) / kBlock,
                       b = std::min(kBlock, n), zero = (inputs[3].size(0) - 1) / 2;
    // Margins, which the unused corners of the last blocks read.
    const Tensor edge = at::zeros({kBlock}, inputs[3].options());
    const Tensor table = at::cat({edge, inputs[3], edge});
    for (std::int64_t difference = 1 - count; difference < count; ++difference) {
      const Tensor line = table.narrow(0, kBlock + zero + difference * kBlock - (b - 1), 2 * b - 1);
      // Row r begins at entry b - 1 - r of the line.
      all.push_back(line.repeat({b}).as_strided({b, b}, {2 * b - 2, 1}, b - 1).contiguous());
    }
    return all;
  }

  Tensors forward(const Tensors& inputs) const override;
  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override;
};

// A range of the N sequences.
struct Part {
  std::int64_t first = 0, count = 0;
  Tensor of(const Tensor& all) const { return all.defined() ? all.narrow(0, first, count) : all; }
};

class Sequences {
 public:
  Sequences(const Blocks& form, const Tensors& inputs, const Tensors& biases, const Part& part)
      : form_(form),
        q_(part.of(inputs[0])),
        k_(part.of(inputs[1])),
        v_(part.of(inputs[2])),
        biases_(biases),
        spans_(form.spans(q_.size(1))),
        padding_(part.of(form.padding)),
        lonely_(part.of(form.lonely)) {}

  void forward(const Tensor& out, const Tensor& log_sum) const {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      if (form_.is_softmax()) {
        run_softmax(i, out, log_sum);
        continue;
      }
      const Tensor sum = spans_[i].of(out);
      for (std::size_t j = 0; j < end_of(i); ++j)
        sum.baddbmm_(weights_of(scores(i, j), i, j), spans_[j].of(v_));
    }
  }

  // Adds to the gradients. d_out [count, n, v]; d_distance [count, 2 P - 1] or undefined.
  void backward(const Tensor& out, const Tensor& log_sum, const Tensor& d_out, const Tensor& d_q,
                const Tensor& d_k, const Tensor& d_v, const Tensor& d_distance) const {
    const Tensor along = form_.is_softmax() ? (d_out * out).sum(2, true) : Tensor();
    for (std::size_t i = 0; i < spans_.size(); ++i)
      for (std::size_t j = 0; j < end_of(i); ++j) {
        const Span &rows = spans_[i], &columns = spans_[j];
        const Tensor s = scores(i, j), d_rows = rows.of(d_out);
        const Tensor w =
            form_.is_softmax() ? at::exp(s - rows.of(log_sum).unsqueeze(2)) : weights_of(s, i, j);
        columns.of(d_v).baddbmm_(w.mT(), d_rows);
        Tensor d_s = at::bmm(d_rows, columns.of(v_).mT());
        if (form_.is_softmax()) {
          d_s.sub_(rows.of(along)).mul_(w);
        } else {
          hide(d_s.mul_(slopes_of(s)), i, j, 0);
        }
        rows.of(d_q).baddbmm_(d_s, columns.of(k_));
        columns.of(d_k).baddbmm_(d_s.mT(), rows.of(q_));
        if (d_distance.defined()) add_diagonals(d_s, rows, columns, d_distance);
      }
  }

 private:
  std::size_t end_of(std::size_t i) const { return form_.causal ? i + 1 : spans_.size(); }

  // Fills the pairs of blocks i and j whose query (row) does not see the key.
  void hide(const Tensor& block, std::size_t i, std::size_t j, double value) const {
    if (form_.causal && i == j)
      block.masked_fill_(
          at::ones({block.size(1), block.size(2)}, block.options().dtype(at::kBool)).triu_(1),
          value);
    if (!padding_.defined()) return;
    const Tensor hidden = spans_[j].of(padding_).unsqueeze(1);
    block.masked_fill_(form_.is_softmax()
                           ? hidden.logical_and(spans_[i].of(lonely_).logical_not().unsqueeze(2))
                           : hidden,
                       value);
  }

  Tensor scores(std::size_t i, std::size_t j) const {
    const Span &rows = spans_[i], &columns = spans_[j];
    Tensor s = at::bmm(rows.of(q_), columns.of(k_).mT());
    if (!biases_.empty())
      s.add_(biases_[spans_.size() - 1 + j - i].narrow(0, 0, rows.size).narrow(1, 0, columns.size));
    if (form_.is_softmax()) hide(s, i, j, -std::numeric_limits<double>::infinity());
    return s;
  }

  Tensor weights_of(const Tensor& s, std::size_t i, std::size_t j) const {
    Tensor w = form_.kind == "relu2"
                   ? at::relu(s).square_()
                   : at::erf((s - kMean).div_(kSpread * std::sqrt(2.0))).add_(1).mul_(0.5);
    hide(w, i, j, 0);
    return w;
  }

  Tensor slopes_of(const Tensor& s) const {
    if (form_.kind == "relu2") return at::relu(s).mul_(2);
    const Tensor off = (s - kMean).div_(kSpread * std::sqrt(2.0));
    return off.square_().neg_().exp_().div_(kSpread * std::sqrt(2 * std::numbers::pi));
  }

  void run_softmax(std::size_t i, const Tensor& out, const Tensor& log_sum) const {
    const Span& rows = spans_[i];
    const Tensor sum = rows.of(out);
    Tensor most = at::full({q_.size(0), rows.size, 1}, kLeast, q_.options()),
           total = at::zeros_like(most);
    for (std::size_t j = 0; j < end_of(i); ++j) {
      const Tensor s = scores(i, j), next = at::maximum(most, s.amax(2, true));
      const Tensor w = at::exp(s - next), earlier = at::exp(most - next);
      total = total * earlier + w.sum(2, true);
      sum.mul_(earlier).baddbmm_(w, spans_[j].of(v_));
      most = next;
    }
    sum.div_(total);
    rows.of(log_sum).copy_((most + at::log(total)).squeeze(2));
  }

  // Adds the sum of each diagonal of a block to the entry of its distance.
  static void add_diagonals(const Tensor& d_s, const Span& rows, const Span& columns,
                            const Tensor& d_distance) {
    const std::int64_t a = rows.size, b = columns.size, zero = (d_distance.size(1) - 1) / 2;
    const std::int64_t count = d_s.size(0);
    const Tensor lines = at::zeros({count, a, a + b - 1}, d_s.options());
    if (a + b > 2) {
      lines.as_strided({count, a, b}, {a * (a + b - 1), a + b - 2, 1}, a - 1).copy_(d_s);
    } else {
      lines.copy_(d_s);
    }
    d_distance.narrow(1, zero + columns.from - rows.from - (a - 1), a + b - 1).add_(lines.sum(1));
  }

  const Blocks& form_;
  const Tensor q_, k_, v_;
  const Tensors& biases_;
  const std::vector<Span> spans_;
  const Tensor padding_, lonely_;
};

// Calls each() for one sequence at a time, on several threads, so that a block stays in a cache; on
// a GPU for all sequences at once, on the thread that owns the stream.
template <class Each>
void each_part(const Tensor& q, bool on_gpu, const Each& each) {
  const std::int64_t N = q.size(0);
  if (on_gpu) return each(Part{0, N});
  at::parallel_for(0, N, 1, [&](std::int64_t begin, std::int64_t end) {
    const at::NoGradGuard no_gradients;
    for (std::int64_t first = begin; first < end; ++first) each(Part{first, 1});
  });
}

Tensors Blocks::forward(const Tensors& inputs) const {
  const std::int64_t N = inputs[0].size(0), n = inputs[0].size(1);
  const Tensor out = at::zeros({N, n, inputs[2].size(2)}, inputs[0].options()),
               log_sum = at::empty({N, is_softmax() ? n : 0}, inputs[0].options());
  const Tensors around = biases(inputs);
  each_part(inputs[0], on_gpu, [&](const Part& part) {
    Sequences(*this, inputs, around, part).forward(part.of(out), part.of(log_sum));
  });
  return {out, log_sum};
}

Tensors Blocks::backward(const Tensors& inputs, const Tensors& outputs,
                         const Tensors& d_outputs) const {
  Tensors d;
  for (std::size_t at = 0; at < 3; ++at) d.push_back(at::zeros_like(inputs[at]));
  const std::int64_t N = inputs[0].size(0);
  Tensor d_distance;  // per sequence, so that the order of the sum is fixed
  if (has_distance) d_distance = at::zeros({N, inputs[3].size(0)}, inputs[3].options());
  const Tensors around = biases(inputs);
  each_part(inputs[0], on_gpu, [&](const Part& part) {
    Sequences(*this, inputs, around, part)
        .backward(part.of(outputs[0]), part.of(outputs[1]), part.of(d_outputs[0]), part.of(d[0]),
                  part.of(d[1]), part.of(d[2]), part.of(d_distance));
  });
  if (has_distance) d.push_back(d_distance.sum(0));
  return d;
}

// The type of the tensors that autocast has not rounded; if it has rounded all, their type.
at::ScalarType wide_type_of(const Tensors& all) {
  for (const Tensor& each : all)
    if (each.scalar_type() != at::kBFloat16 && each.scalar_type() != at::kHalf)
      return each.scalar_type();
  return all[0].scalar_type();
}

// True for steps that see only padding: in the whole sequence or, if causal, up to their own step.
Tensor seeing_nothing(const Tensor& padding, bool causal) {
  if (!causal) return padding.all(1, true).expand_as(padding);
  return std::get<0>(padding.to(at::kByte).cummin(1)).to(at::kBool);
}

}  // namespace

Tensor attended_by_blocks(const BlockAttention& form, const Tensor& q, const Tensor& k,
                          const Tensor& values) {
  auto operation = c10::make_intrusive<Blocks>();
  operation->autocasts = false;
  operation->kind = form.kind;
  operation->causal = form.causal;
  operation->on_gpu = form.on_gpu || !q.is_cpu();
  operation->has_distance = form.distance.defined();
  operation->padding = form.padding;
  if (form.padding.defined()) operation->lonely = seeing_nothing(form.padding, form.causal);
  Tensors inputs = {q, k, values};
  if (form.distance.defined()) inputs.push_back(form.distance);
  const at::ScalarType type = wide_type_of(inputs);
  for (Tensor& each : inputs) each = each.to(type).contiguous();
  return lcsm::differentiable(std::move(operation), inputs)[0];
}

}  // namespace ets
