#include "runner/train/bench/tune_case.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <thread>

#include "lcsm/base/allowance.h"
#include "lcsm/base/words.h"
#include "lcsm/layer/layer.h"
#include "runner/train/bench/bench_setting.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Choice;
using lcsm::ChoiceLine;
using lcsm::Choices;
using Asked = Choices::Asked;

// A variant is chosen if it takes less than this share of the rules' time: less is noise.
constexpr double kFaster = 0.98;
// Relative to the norm. As tests allow: float32 rounds sums, bfloat16 the operands of products.
double bound_of(at::ScalarType type) { return type == at::kBFloat16 ? 2e-2 : 1e-4; }

Choices choices_of(const TuneVariant& variant) {
  Choices choices;
  for (const auto& [choice, value] : variant.choices) choices = choices.with(choice, value);
  return choices;
}

// The rules, then each requested choice with every other value.
std::vector<TuneVariant> variants_of(const Asked& asked) {
  std::map<Choice, std::set<int>> rules;  // of several shapes
  for (const auto& [of, rule] : asked) rules[of.first].insert(rule);
  std::vector<TuneVariant> variants(1);
  for (const auto& [choice, own] : rules)
    for (const int value : lcsm::row_of(choice).values)
      if (own != std::set<int>{value}) variants.push_back({{{choice, value}}});
  return variants;
}

// ----- Compiling -----

// A driver that computes nothing: requests to it only compile kernels.
lcsm::CudaDriver no_driver() {
  static int something = 0;
  const auto found = [](lcsm::CudaHandle* handle) {
    *handle = &something;
    return 0;
  };
  lcsm::CudaDriver driver;
  driver.error_text = [](int, const char** text) {
    *text = "";
    return 0;
  };
  driver.retain_context = [found](lcsm::CudaHandle* context, int) { return found(context); };
  driver.use_context = [](lcsm::CudaHandle) { return 0; };
  driver.load_module = [found](lcsm::CudaHandle* module, const void*) { return found(module); };
  driver.find_function = [found](lcsm::CudaHandle* function, lcsm::CudaHandle, const char*) {
    return found(function);
  };
  driver.set_attribute = [](lcsm::CudaHandle, int, int) { return 0; };
  driver.launch = [](auto...) { return 0; };
  driver.allocate_host = [](void** memory, std::size_t bytes, unsigned) {
    *memory = std::calloc(1, bytes);
    return *memory == nullptr ? lcsm::kCudaOutOfMemory : 0;
  };
  driver.free_host = [](void* memory) {
    std::free(memory);
    return 0;
  };
  driver.copy = [](auto...) { return 0; };
  driver.finish = [](lcsm::CudaHandle) { return 0; };
  driver.make_event = [found](lcsm::CudaHandle* event, unsigned) { return found(event); };
  driver.free_event = [](lcsm::CudaHandle) { return 0; };
  driver.record = [](auto...) { return 0; };
  driver.stream_waits = [](auto...) { return 0; };
  driver.host_waits = [](lcsm::CudaHandle) { return 0; };
  return driver;
}

// Runs forward, which requests all kernels of both passes. Returns the requested choices. Which
// kernels they are depends on the sequences per processor, so a few on one processor will do.
Asked compile(TuneCase of, const lcsm::Gpu& like, const Choices& choices) {
  const at::NoGradGuard none;
  const auto asked = std::make_shared<Asked>();
  lcsm::GpuFacts facts = like.facts();
  facts.stream = [] { return nullptr; };
  facts.choices = choices;
  facts.choices.note(asked);
  of.shape.B = std::max<std::int64_t>(1, of.shape.B / facts.processors);
  facts.processors = 1;
  const auto gpu = std::make_shared<lcsm::Gpu>(no_driver(), facts);
  const BenchCase inputs = make_case(of.variant, of.shape, of.type, {.gpu = gpu});
  try {
    lcsm::Recurrence(of.variant)(inputs.inputs, gpu);
  } catch (const std::exception&) {  // shows when it runs
  }
  return *asked;
}

void side_by_side(const std::vector<std::function<void()>>& jobs) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  const auto count =
      std::min(static_cast<std::size_t>(lcsm::read_allowance().cores()), jobs.size());
  for (std::size_t n = 0; n < count; ++n)
    threads.emplace_back([&] {
      for (std::size_t job = next++; job < jobs.size(); job = next++) jobs[job]();
    });
  for (std::thread& thread : threads) thread.join();
}

bool changes_kernels(const TuneVariant& variant) {
  return std::any_of(variant.choices.begin(), variant.choices.end(),
                     [](const auto& each) { return lcsm::row_of(each.first).in_kernels; });
}

// ----- Checking and timing -----

BenchCase on_cpu_in_float32(const BenchCase& of, const lcsm::Variant& variant) {
  BenchCase moved;
  const auto move = [&](const Tensor& x, bool is_leaf) {
    Tensor copy = x.detach().to(at::kCPU, at::kFloat);
    return is_leaf ? copy.requires_grad_() : copy;
  };
  moved.names = of.names;
  moved.d_y = move(of.d_y, false);
  for (const Tensor& leaf : of.leaves) moved.leaves.push_back(move(leaf, true));
  const auto named = [&](const std::string& name, const Tensor& x) {
    const auto at = std::find(of.names.begin(), of.names.end(), name);
    return at == of.names.end() ? move(x, false) : moved.leaves[at - of.names.begin()];
  };
  moved.inputs.i = named("i", of.inputs.i);
  moved.inputs.e = named("e", of.inputs.e);
  moved.inputs.s = named("s", of.inputs.s);
  for (const lcsm::Symbol& symbol : lcsm::given_symbols(variant))
    moved.inputs.symbols[symbol] = lcsm::stem_of(symbol).source == lcsm::Source::kFixed
                                       ? lcsm::fixed_tensor(symbol, variant.sizes, at::kFloat)
                                       : named(lcsm::to_string(symbol), {});
  return moved;
}

class Tuner {
 public:
  Tuner(const TuneCase& of, const ComputeDevice& device, double budget)
      : of_(of),
        device_(device),
        recurrence_(of.variant),
        inputs_(make_case(of.variant, of.shape, of.type, device)),
        rules_{name_of(of), bound_of(of.type),
               "the CPU's machine in float32 computes what is expected", budget} {
    const BenchCase exact = on_cpu_in_float32(inputs_, of.variant);
    for (const Tensor& each : outcome(exact, nullptr))
      expected_.push_back(each.detach().to(device.memory));
  }

  TuneResult result() {
    const auto asked = std::make_shared<Asked>();
    Choices noted;
    noted.note(asked);
    TuneVariant rules;
    check(rules, noted);
    TuneResult all{name_of(of_), {rules}, {}};
    if (!rules.refusal.empty()) return all;
    for (TuneVariant each : variants_of(*asked)) {
      if (each.choices.empty()) continue;
      check(each, choices_of(each));
      all.variants.push_back(each);
    }
    time(all.variants);
    choose(*asked, all);
    return all;
  }

 private:
  std::vector<Tensor> outcome(const BenchCase& inputs, const lcsm::GpuOrCpu& gpu) const {
    std::vector<Tensor> all{recurrence_(inputs.inputs, gpu).y};
    for (Tensor& gradient : gradients_of(inputs, all[0])) all.push_back(std::move(gradient));
    return all;
  }

  void check(TuneVariant& variant, const Choices& choices) const {
    device_.gpu->choose(choices);
    try {
      const std::vector<Tensor> got = outcome(inputs_, device_.gpu);
      for (std::size_t n = 0; n < got.size(); ++n)
        variant.difference = std::max(
            variant.difference,
            checked_difference(rules_, n == 0 ? "y" : "the gradient of " + inputs_.names[n - 1],
                               name_of(variant), expected_[n], got[n]));
    } catch (const std::exception& error) {
      variant.refusal = error.what();
    }
  }

  // Times the correct variants in turns.
  void time(std::vector<TuneVariant>& variants) const {
    std::vector<Entrant> entrants;
    std::vector<TuneVariant*> right;
    for (TuneVariant& each : variants) {
      if (!each.refusal.empty()) continue;
      right.push_back(&each);
      entrants.push_back({name_of(each), [this, choices = choices_of(each)] {
                            device_.gpu->choose(choices);
                            return recurrence_(inputs_.inputs, device_.gpu).y;
                          }});
    }
    ContestRules rules = rules_;
    rules.tolerance *= 3;  // both are within the tolerance
    const std::vector<Contestant> timed = contest(
        entrants, inputs_, rules, {.memory = device_.memory, .gpu = device_.gpu, .name = ""});
    for (std::size_t n = 0; n < timed.size(); ++n) {
      right[n]->refusal = timed[n].refusal;
      if (!timed[n].refusal.empty()) continue;
      right[n]->forward = median(timed[n].forward);
      right[n]->both = median(timed[n].both);
    }
  }

  // The best value of each choice. Measures several together; if that is not faster, only the best
  // one is chosen.
  void choose(const Asked& asked, TuneResult& all) const {
    std::vector<TuneVariant>& variants = all.variants;
    std::map<Choice, std::size_t> best;
    std::size_t chosen = 0;
    for (std::size_t n = 1; n < variants.size(); ++n) {
      if (!variants[n].refusal.empty() || variants[n].both >= kFaster * variants[0].both) continue;
      const auto [other, is_first] = best.insert({variants[n].choices[0].first, n});
      if (!is_first && variants[n].both < variants[other->second].both) other->second = n;
      if (chosen == 0 || variants[n].both < variants[chosen].both) chosen = n;
    }
    if (best.size() > 1) {
      std::vector<TuneVariant> two{variants[chosen], {}};
      for (const auto& [choice, n] : best) two[1].choices.push_back(variants[n].choices[0]);
      check(two[1], choices_of(two[1]));
      if (two[1].refusal.empty()) time(two);
      variants.push_back(two[1]);
      if (two[1].refusal.empty() && two[1].both < two[0].both) chosen = variants.size() - 1;
    }
    variants[chosen].is_chosen = true;
    for (const auto& [of, rule] : asked) {
      std::string value = "rule";
      for (const auto& [choice, made] : variants[chosen].choices)
        if (choice == of.first) value = std::to_string(made);
      all.lines.push_back({device_.gpu->facts().architecture, lcsm::row_of(of.first).name,
                           of.second, value, device_.name});
    }
  }

  const TuneCase& of_;
  const ComputeDevice& device_;
  const lcsm::Recurrence recurrence_;
  const BenchCase inputs_;
  const ContestRules rules_;
  std::vector<Tensor> expected_;
};

}  // namespace

std::string name_of(const TuneCase& of) {
  return fmt::format("{} at {},{},{},{}", of.code, of.shape.B, of.shape.T, of.shape.sizes.d,
                     of.shape.sizes.k);
}
std::string name_of(const TuneVariant& variant) {
  if (variant.choices.empty()) return "rules";
  return lcsm::joined_of(variant.choices, [](const auto& each) {
    return std::string(lcsm::row_of(each.first).name) + " " + std::to_string(each.second);
  });
}

void compile_variants(const std::vector<TuneCase>& cases, const lcsm::Gpu& gpu) {
  std::vector<Asked> asked(cases.size());
  std::vector<std::function<void()>> jobs;
  for (std::size_t n = 0; n < cases.size(); ++n)
    jobs.push_back([&, n] { asked[n] = compile(cases[n], gpu, {}); });
  side_by_side(jobs);
  jobs.clear();
  for (std::size_t n = 0; n < cases.size(); ++n)
    for (const TuneVariant& variant : variants_of(asked[n]))
      if (changes_kernels(variant))
        jobs.push_back([&, n, variant] { compile(cases[n], gpu, choices_of(variant)); });
  side_by_side(jobs);
}

TuneResult tune(const TuneCase& of, const ComputeDevice& device, double budget) {
  const Choices before = device.gpu->choices();
  const TuneResult result = Tuner(of, device, budget).result();
  device.gpu->choose(before);
  return result;
}

std::vector<ChoiceLine> with_measured(std::vector<ChoiceLine> table,
                                      const std::vector<ChoiceLine>& measured) {
  std::set<std::string> taken;
  for (const ChoiceLine& line : measured) {
    const auto key = [](const ChoiceLine& of) {
      return of.architecture + "," + of.choice + "," + of.shape;
    };
    if (!taken.insert(key(line)).second) continue;
    const auto same = std::find_if(table.begin(), table.end(),
                                   [&](const ChoiceLine& each) { return key(each) == key(line); });
    if (same == table.end())
      table.push_back(line);
    else
      *same = line;
  }
  return table;
}

}  // namespace runner
