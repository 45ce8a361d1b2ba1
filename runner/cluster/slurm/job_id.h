// Parses the ids of jobs and of array tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct JobId {
  std::string job;                  // "123"; the whole array's for an array task
  bool is_array = false;            // then:
  std::vector<std::int64_t> tasks;  // indices, ascending
  bool cut_off = false;             // there are more
};

// "123", "123_4", "123_[0-40%8]", "123_[0-9:3,20,30-31%2]", "123_[1,2,...]", "123+1" (a part of a
// job on several clusters' nodes). nullopt: none of these, such as a step "123.batch".
std::optional<JobId> parse_job_id(std::string_view text);

// Returns the job id that `sbatch --parsable` printed, "123" or "123;cluster", after anything that
// a wrapper printed before.
std::optional<std::string> submitted_job(std::string_view output);

}  // namespace runner
