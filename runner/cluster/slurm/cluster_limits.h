// The limits of a cluster's users, from `scontrol show config` and `sacctmgr`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct ClusterConfig {
  std::int64_t array_size = 0;   // MaxArraySize: one more than the largest index; 0, 1: no arrays
  std::int64_t array_tasks = 0;  // array tasks per array; 0: no further limit
  bool accounting = false;       // sacct and sacctmgr answer
};

// Parses `scontrol show config`. Throws std::runtime_error without a MaxArraySize.
ClusterConfig cluster_config(std::string_view text);

struct AccountLimits {
  std::int64_t submit = -1;                               // jobs in the queue; -1: not limited
  std::map<std::string, std::string> of_account, of_qos;  // by resource, "gres/gpu": "4"
};

inline constexpr const char* kAssocFormat = "Account,User,MaxSubmit,GrpSubmit,GrpTRES,MaxTRES";
inline constexpr const char* kQosFormat = "Name,MaxSubmitPU,GrpSubmit,GrpTRES,MaxTRESPU";

// Parses `sacctmgr -nP show assoc` and `show qos` in these formats. Empty names match any account
// or QOS.
AccountLimits account_limits(std::string_view assoc, std::string_view qos,
                             const std::string& account, const std::string& user,
                             const std::string& qos_name);

// The sizes of the arrays for `elements` array tasks within these limits; they differ by at most 1,
// and each array counts from 0, since the limit is on the index. `queued`: this user's array tasks
// in the queue. Throws std::invalid_argument if no task can be submitted.
std::vector<std::int64_t> arrays_for(std::int64_t elements, const ClusterConfig& config,
                                     const AccountLimits& limits, std::int64_t queued);

// Formats ("gres/gpu", "4") as "4 GPUs", for runner::wait_reason.
std::string resource_text(std::string_view resource, const std::string& number);

}  // namespace runner
