#include "ets/families/dss.h"

#include <cmath>

#include "ets/families/hippo.h"
#include "ets/families/modes_cost.h"

namespace ets {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Dss::tensors(std::int64_t d) const {
  const std::int64_t G = bidirectional ? 2 : 1, M = modes;
  const std::vector<Complex>& all = hippo(2 * M).rates;
  const std::vector<Complex> rates(all.begin() + M, all.end());
  lcsm::BlockTensors tensors;
  if (form == "softmax") {
    tensors.put_rows("rate", {M, 2}, Group::kGate, "HiPPO, positive imaginary parts",
                     interleaved(rates));
  } else {
    lcsm::Values frequencies;
    for (const Complex& rate : rates) frequencies.push_back(rate.imag());
    tensors.put_constant("log_decay", {M}, Group::kGate, std::log(0.5));
    tensors.put_rows("frequency", {M}, Group::kGate, "HiPPO, positive imaginary parts",
                     frequencies);
  }
  tensors.put_step({step_min, step_max}, "log_step", {d, 2});
  tensors.put_normal("shrink", {G, d, M, 2}, Group::kGate, 0, 1);
  tensors.put_skip(d);
  tensors.put_output(output.text(), d);
  put_replay(d, &tensors);
  return tensors.take();
}

lcsm::Mixing Dss::mixing(std::int64_t d, double steps) const {
  return with_replay(d, mixing_of_modes(steps, bidirectional ? 2 : 1, modes, true, lcsm::real(d)));
}

}  // namespace ets
