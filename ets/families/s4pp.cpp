#include "ets/families/s4pp.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

void put_small_matrix(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                      lcsm::BlockTensors* tensors) {
  tensors->put_normal(name + ".weight", {outputs, inputs}, Group::kMatrices, 0, 0.02);
}

template <class Filter>
Filter filter_of(const S4pp& whole) {
  Filter filter;
  static_cast<SystemsOption&>(filter) = whole;
  static_cast<StepOptions&>(filter) = whole;
  static_cast<ReplayOptions&>(filter) = whole.gate;
  filter.skip = whole.skip;
  filter.output = whole.output;
  filter.bidirectional = whole.bidirectional;
  filter.modes = whole.modes;
  return filter;
}

}  // namespace

S4 S4pp::s4() const {
  S4 filter = filter_of<S4>(*this);
  filter.length = length;
  return filter;
}

S4d S4pp::s4d() const { return filter_of<S4d>(*this); }

lcsm::Parameters S4pp::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_part("filter", kernel == "s4" ? s4().tensors(d) : s4d().tensors(d));
  if (combine == "sum") {
    tensors.put_matrix("query", keys(d), d);
    tensors.put_matrix("key", keys(d), d);
    tensors.put_matrix("value", d, d);
    put_bias(keys(d), &tensors);
    return tensors.take();
  }
  tensors.put_small_linear("query", keys(d), d);
  tensors.put_small_linear("key", keys(d), d);
  tensors.put_small_linear("value", values(d), d);
  put_bias(keys(d), &tensors);
  tensors.put_small_linear("reset", values(d), d);
  tensors.put_small_linear("state", d, d);
  put_small_matrix("hidden", d, values(d), &tensors);
  tensors.put_small_linear("update", d, d);
  return tensors.take();
}

void S4pp::check(std::int64_t d) const {
  check_turned(kName, "q", keys(d));
  systems_of(kernel.text(), d);
}

lcsm::Mixing S4pp::mixing(std::int64_t d, double steps) const {
  const lcsm::Mixing filter = kernel == "s4" ? s4().mixing(d, steps) : s4d().mixing(d, steps);
  lcsm::Mixing mixing = pairs(lcsm::real(keys(d)), lcsm::real(values(d)), steps);
  mixing.machine += "; " + filter.machine;
  mixing.flops += filter.flops;
  mixing.state += filter.state;
  return mixing;
}

}  // namespace ets
