// `lcsm-train apply FAMILY` and `SYSTEM`: applies a block to tensors of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ets/machines/machines.h"
#include "lcsm/tensors/safetensors.h"
#include "runner/systems/system.h"

namespace runner {

constexpr lcsm::Backend backend_of(ets::FilterMachine machine) {
  return machine == ets::FilterMachine::kReference ? lcsm::Backend::kReference
                                                   : lcsm::Backend::kMachine;
}

// Like apply_layer. Also reads "padding_mask" [B, T] (true = padding), "residual" [B, T, D], by
// default "input", and "state.NAME"; writes "final_state.NAME" if the layer has a state. Sizes that
// are not in the settings ("modes=4") come from the tensors. `kernel` > 0: there is no input, and
// the output is the kernel of `kernel` steps. Throws std::invalid_argument on a wrong option, name,
// shape or dtype.
lcsm::SafeTensors apply_family(const lcsm::BlockRow& family,
                               const std::vector<std::string>& settings,
                               const lcsm::SafeTensors& file,
                               ets::FilterMachine machine = ets::FilterMachine::kFastest,
                               std::int64_t kernel = 0);

// True if the names have the parts of a named system, as `params` prints them: "weight.mixer.NAME",
// "weight.shared.mixer.NAME", "weight.feed.NAME".
bool has_parts_of_a_system(const lcsm::SafeTensors& file);

// Like apply_family, for the mixer of a named system, or for the feed-forward if the file has its
// tensors. Names without a part are the mixer's.
lcsm::SafeTensors apply_system(System system, const lcsm::SafeTensors& file,
                               ets::FilterMachine machine = ets::FilterMachine::kFastest,
                               std::int64_t kernel = 0);

}  // namespace runner
