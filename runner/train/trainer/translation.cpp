#include "runner/train/trainer/translation.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/topk.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/train/loss/precision.h"

namespace runner {
namespace {

using at::Tensor;

struct Beginning {
  Translation tokens;
  double score = 0;  // log-probability
};

// A token that extends one of a sentence's hypotheses.
struct Extension {
  double score = 0;
  std::size_t beginning = 0;
  std::uint32_t token = 0;

  // Ties in the order of hypotheses and tokens.
  bool operator<(const Extension& other) const {
    return std::tuple(-score, beginning, token) <
           std::tuple(-other.score, other.beginning, other.token);
  }
};

struct Sentence {
  std::size_t row = 0;  // of the batch
  std::vector<Beginning> kept = {{}};
  std::vector<Beginning> ended = {};  // finished; their scores are divided by length^p
};

class Search {
 public:
  Search(const Model& model, const Inputs& inputs, const BeamSearch& search)
      : model_(model), search_(search), source_(encoded(inputs)) {
    for (std::int64_t row = 0; row < inputs.source.size(0); ++row)
      sentences_.push_back({static_cast<std::size_t>(row)});
  }

  std::vector<Translation> run() {
    for (std::int64_t length = 1; length <= search_.longest && any_left(); ++length) step(length);
    std::vector<Translation> best;
    for (const Sentence& sentence : sentences_)
      best.push_back(
          std::max_element(sentence.ended.begin(), sentence.ended.end(),
                           [](const Beginning& a, const Beginning& b) { return a.score < b.score; })
              ->tokens);
    return best;
  }

 private:
  EncodedSource encoded(const Inputs& inputs) const {
    Dropout none;
    const Autocast autocast(precision(), inputs.source.device().type());
    return encoded_source(model_, inputs, none);
  }
  Precision precision() const { return precision_of(model_.plan().config); }

  bool is_done(const Sentence& sentence) const {
    return sentence.kept.empty() ||
           static_cast<std::int64_t>(sentence.ended.size()) >= search_.beam;
  }
  bool any_left() const {
    return std::any_of(sentences_.begin(), sentences_.end(),
                       [this](const Sentence& each) { return !is_done(each); });
  }

  // [rows, V]: of the next token of each kept hypothesis; all have one length.
  Tensor next_log_probabilities() const {
    std::vector<std::int64_t> rows, tokens;
    for (const Sentence& sentence : sentences_) {
      if (is_done(sentence)) continue;
      for (const Beginning& beginning : sentence.kept) {
        rows.push_back(static_cast<std::int64_t>(sentence.row));
        tokens.push_back(JointBpe::kEnd);
        tokens.insert(tokens.end(), beginning.tokens.begin(), beginning.tokens.end());
      }
    }
    const auto N = static_cast<std::int64_t>(rows.size());
    const auto there = [&](const std::vector<std::int64_t>& values) {
      const Tensor all = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
      std::copy(values.begin(), values.end(), all.mutable_data_ptr<std::int64_t>());
      return all.to(source_.output.device());
    };
    const Tensor which = there(rows);
    EncodedSource source{source_.output.index_select(0, which)};
    if (source_.padding.defined()) source.padding = source_.padding.index_select(0, which);
    Dropout none;
    const Autocast autocast(precision(), source_.output.device().type());
    const Tensor h = decoded_hidden(model_, source, Inputs{there(tokens).view({N, -1})}, none);
    return at::log_softmax(model_.logits(h.select(1, h.size(1) - 1)).to(h.scalar_type()), 1);
  }

  void step(std::int64_t length) {
    const Tensor next = next_log_probabilities();
    const std::int64_t most = std::min(2 * search_.beam, next.size(1));
    const auto [scores, tokens] = next.topk(most, 1);
    const Tensor likely = scores.to(at::kCPU, at::kDouble).contiguous(),
                 which = tokens.to(at::kCPU).contiguous(),
                 ends = next.select(1, JointBpe::kEnd).to(at::kCPU, at::kDouble).contiguous();
    const double* score = likely.const_data_ptr<double>();
    const auto* token = which.const_data_ptr<std::int64_t>();
    const double* end = ends.const_data_ptr<double>();
    for (Sentence& sentence : sentences_) {
      if (is_done(sentence)) continue;
      if (length == search_.longest) {
        for (Beginning& each : sentence.kept) finish(each, each.score + *end++, length, &sentence);
        sentence.kept.clear();
        continue;
      }
      std::vector<Extension> extensions;
      for (std::size_t i = 0; i < sentence.kept.size(); ++i, ++end)
        for (std::int64_t n = 0; n < most; ++n)
          extensions.push_back(
              {sentence.kept[i].score + *score++, i, static_cast<std::uint32_t>(*token++)});
      extend(extensions, length, &sentence);
    }
  }

  void extend(std::vector<Extension>& extensions, std::int64_t length, Sentence* sentence) const {
    const auto beam = static_cast<std::size_t>(search_.beam),
               looked_at = std::min(extensions.size(), 2 * beam);
    std::partial_sort(extensions.begin(),
                      extensions.begin() + static_cast<std::ptrdiff_t>(looked_at),
                      extensions.end());
    std::vector<Beginning> kept;
    for (std::size_t i = 0; i < looked_at && kept.size() < beam; ++i) {
      Beginning longer = sentence->kept[extensions[i].beginning];
      longer.score = extensions[i].score;
      if (extensions[i].token == JointBpe::kEnd) {
        if (i < beam) finish(longer, longer.score, length, sentence);
        continue;
      }
      longer.tokens.push_back(extensions[i].token);
      kept.push_back(std::move(longer));
    }
    sentence->kept = std::move(kept);
  }

  void finish(const Beginning& whole, double score, std::int64_t length, Sentence* sentence) const {
    const double power = std::pow(static_cast<double>(length), search_.length_penalty);
    sentence->ended.push_back({whole.tokens, score / power});
  }

  const Model& model_;
  const BeamSearch search_;
  const EncodedSource source_;
  std::vector<Sentence> sentences_;
};

}  // namespace

BeamSearch beam_search_of(const RunConfig& config) {
  return {config.integer("eval.beam"_key), config.real("eval.length_penalty"_key),
          config.integer("task.length"_key)};
}

std::vector<Translation> translations(const Model& model, const Inputs& inputs,
                                      const BeamSearch& search) {
  const at::NoGradGuard raw;
  return Search(model, inputs, search).run();
}

Score translation_score(const Model& model, const Inputs& inputs, const SentenceSet& set,
                        Split split, std::span<const std::uint32_t> sentences) {
  Score score;
  const std::vector<Translation> all =
      translations(model, inputs, beam_search_of(model.plan().config));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string text = set.text_of(all[i]);
    score.tokenized += bleu_counts(words_of_compounds(text),
                                   {words_of_compounds(set.reference(split, sentences[i]))});
    score.plain +=
        bleu_counts(words_13a(set.plain(text)), {words_13a(set.published(split, sentences[i]))});
  }
  return score;
}

}  // namespace runner
