#include "runner/cluster/slurm/cluster_check.h"

#include <chrono>

#include "runner/base/host/resources.h"
#include "runner/base/process/command.h"

namespace runner {

EngineCheck check_cluster() {
  using namespace std::chrono_literals;
  const Tool sbatch = find_tool("sbatch");
  const CommandResult ping = sbatch.found ? run_command({"scontrol", "ping"}, 3s) : CommandResult{};
  // "Slurmctld(primary) at head is UP"; the exit code is 0 or 1 depending on the version.
  const bool controller = ping.out.find(" is UP") != std::string::npos;
  EngineCheck check{.value = sbatch.version};
  check.data = {{"found", sbatch.found}, {"version", sbatch.version}, {"controller", controller}};
  if (!sbatch.found) {
    check.value = "not found: sweeps run on this host";
  } else if (!sbatch.trouble.empty() || !controller) {
    check.good = false;
    check.value += (check.value.empty() ? "" : ", ") +
                   (sbatch.trouble.empty() ? trouble_of(ping, "scontrol ping") : sbatch.trouble);
    check.advice =
        "Jobs cannot be submitted until the Slurm controller responds (check: scontrol ping).";
  } else {
    check.value += ", controller up";
  }
  return check;
}

}  // namespace runner
