// Why a job waits, in words.
#pragma once

#include <string>
#include <string_view>

namespace runner {

struct WaitReason {
  std::string words;      // "the account's limit of 4 GPUs is reached"
  bool hopeless = false;  // it does not start before its user does something
};

// `reason` as of squeue's %r: "AssocGrpGRES", "QOSMaxJobsPerUserLimit", "Resources,BeginTime";
// unknown ones are quoted. `limit`: what is known of that limit, "4 GPUs"; may be empty.
WaitReason wait_reason(std::string_view reason, const std::string& limit = "");

// The resource that a reason's limit counts, as in TRES: "gres/gpu" of "AssocGrpGRES"; "" if none.
std::string_view limited_resource(std::string_view reason);

}  // namespace runner
