#include "runner/cluster/slurm/batch.h"

#include <algorithm>

#include "results/text/number_text.h"
#include "runner/cluster/submission/hand_over.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace fs = std::filesystem;

std::string element_script(const fs::path& workspace, const Submission& submission) {
  const std::string programs = (workspace / kFrozenFolder / submission.program).string();
  const std::string folder = submission_folder(workspace, submission.token).string();
  return "#!/bin/sh\n# An array task of " + submission.token +
         ", submitted by `lcsm run --on slurm`.\n"
         "if [ ! -x " +
         shell_quoted(programs + "/lcsm") + " ]; then\n  echo \"expected \"" +
         shell_quoted(programs + "/lcsm") +
         "\" on $(hostname), got none: the workspace must be on a file system that all nodes "
         "share, under the same path\" >&2\n  exit 3\nfi\n"
         "LD_LIBRARY_PATH=" +
         shell_quoted(programs + "/lib") +
         "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\nexport LD_LIBRARY_PATH\nexec " +
         shell_quoted(programs + "/lcsm") + " element " + shell_quoted(folder) + "\n";
}

std::int64_t gpus_of(const SlurmProfile& profile) {
  const std::string last = profile.gpus.substr(profile.gpus.rfind(':') + 1);
  return results::whole_number_in(last).value_or(profile.gpus.empty() ? 0 : 1);
}

std::int64_t runs_at_once(const SlurmProfile& profile, std::int64_t jobs) {
  if (const std::int64_t gpus = gpus_of(profile); gpus > 0) return gpus * profile.runs_per_gpu;
  return jobs > 0 ? jobs : profile.cpus;
}

std::int64_t elements_for(const SlurmProfile& profile, std::int64_t runs, std::int64_t at_once) {
  return std::clamp((runs + at_once - 1) / at_once, std::int64_t{1}, profile.elements);
}

std::string array_comment(const std::string& token, std::size_t array) {
  return "lcsm:" + token + ":" + std::to_string(array);
}

std::string array_name(const std::string& token, std::size_t array) {
  return "lcsm-" + token + "-" + std::to_string(array);
}

std::vector<std::string> array_options(const SlurmProfile& profile, const fs::path& workspace,
                                       const std::string& token, std::size_t array,
                                       std::int64_t elements) {
  const std::string folder = submission_folder(workspace, token).string();
  std::vector<std::string> options = {"--array=0-" + std::to_string(elements - 1),
                                      "--job-name=" + array_name(token, array),
                                      "--comment=" + array_comment(token, array),
                                      "--requeue",
                                      "--open-mode=append",
                                      "--chdir=" + workspace.string(),
                                      "--output=" + folder + "/%A_%a.log"};
  const std::vector<std::string> own = sbatch_options(profile);
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

}  // namespace runner
