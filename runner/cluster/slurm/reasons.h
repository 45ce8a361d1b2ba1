// Translates Slurm's reasons for pending jobs.
#pragma once

#include <string>
#include <string_view>

namespace runner {

struct WaitReason {
  std::string words;      // "the account's limit of 4 GPUs is reached"
  bool hopeless = false;  // the job does not start unless its user acts
};

// `reason`: squeue's %r, such as "AssocGrpGRES", "QOSMaxJobsPerUserLimit", "Resources,BeginTime";
// unknown ones are quoted. `limit`: the limit's value if known, "4 GPUs"; may be empty.
WaitReason wait_reason(std::string_view reason, const std::string& limit = "");

// The resource that a reason's limit counts, as in TRES: "gres/gpu" of "AssocGrpGRES"; "" if none.
std::string_view limited_resource(std::string_view reason);

}  // namespace runner
