#include "runner/cluster/slurm/reasons.h"

#include <algorithm>
#include <array>
#include <optional>

namespace runner {
namespace {

struct ReasonRow {
  std::string_view name, words;
  bool hopeless = false;
};

constexpr std::array kReasons = {
    ReasonRow{"None", "Slurm has not considered it yet"},
    ReasonRow{"Resources", "it is next to start, once a node is free"},
    ReasonRow{"Priority", "jobs with a higher priority come first"},
    ReasonRow{"JobArrayTaskLimit",
              "as many array tasks of the sweep are running as the profile's 'elements' allows"},
    ReasonRow{"BeginTime", "its start time is in the future: Slurm waits after a requeue"},
    ReasonRow{"Dependency", "it waits for another job"},
    ReasonRow{"DependencyNeverSatisfied", "a job that it depends on has failed: cancel it", true},
    ReasonRow{"JobHeldUser", "it is held: release it with `scontrol release`", true},
    ReasonRow{"JobHeldAdmin", "an administrator holds it: ask them why", true},
    ReasonRow{"JobHoldMaxRequeue",
              "it was requeued too often (MaxBatchRequeue) and is held: release it with `scontrol "
              "release`",
              true},
    ReasonRow{"launch failed requeued held",
              "it could not be launched and is held: release it with `scontrol release`", true},
    ReasonRow{"PartitionDown", "its partition accepts jobs but starts none at present"},
    ReasonRow{"PartitionInactive", "its partition is out of use", true},
    ReasonRow{"PartitionNodeLimit", "it requests more than a node of its partition has", true},
    ReasonRow{"PartitionConfig", "its partition does not have what it requests", true},
    ReasonRow{"PartitionTimeLimit",
              "the profile's time is longer than the partition allows: lower 'time' or choose "
              "another partition (`sinfo` lists them)",
              true},
    ReasonRow{"BadConstraints", "no node of the cluster has what the profile requests", true},
    ReasonRow{"AccountNotAllowed", "the account may not use this partition", true},
    ReasonRow{"QOSNotAllowed", "this QOS may not be used in this partition", true},
    ReasonRow{"InvalidAccount", "the account is not valid: see `sacctmgr show assoc user=$USER`",
              true},
    ReasonRow{"InvalidQOS", "the QOS is not valid: see `sacctmgr show assoc user=$USER`", true},
    ReasonRow{"NodeDown", "a node that it needs is down"},
    ReasonRow{"ReqNodeNotAvail", "the nodes that it needs are down, drained or reserved"},
    ReasonRow{"Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_"
              "partitions",
              "the nodes that it needs are down, drained or reserved"},
    ReasonRow{"Reservation", "its reservation has not started"},
    ReasonRow{"ReservationDeleted", "its reservation was deleted", true},
    ReasonRow{"Licenses", "it waits for a licence"},
    ReasonRow{"Prolog", "its node is being prepared"},
    ReasonRow{"Cleaning", "it was requeued and its last process is being cleaned up"},
    ReasonRow{"FrontEndDown", "the front end is down"},
    ReasonRow{"SystemFailure", "Slurm reports a failure, for example of its file system"},
    ReasonRow{"BurstBufferResources", "it waits for space in the burst buffer"},
    ReasonRow{"MaxPowerSched", "the cluster's power limit is reached"},
    ReasonRow{"NodesNotAvail", "no node of its partition can be used at present"},
};

struct Word {
  std::string_view part, words;
};
constexpr std::array kOwners = {Word{"Assoc", "the account"}, Word{"QOS", "the QOS"},
                                Word{"Partition", "the partition"}};
// Longer names come before those that they begin with.
constexpr std::array kResources = {Word{"GRESMinutes", "GPU minutes"},
                                   Word{"GRESRunMinutes", "minutes of running GPUs"},
                                   Word{"CPUMinutes", "CPU minutes"},
                                   Word{"CPURunMinutes", "minutes of running CPUs"},
                                   Word{"CpuRunMinutes", "minutes of running CPUs"},
                                   Word{"MemMinutes", "memory minutes"},
                                   Word{"MemRunMinutes", "minutes of used memory"},
                                   Word{"NodeMinutes", "node minutes"},
                                   Word{"NodeRunMinutes", "minutes of running nodes"},
                                   Word{"BillingMinutes", "billed minutes"},
                                   Word{"BillingRunMinutes", "billed minutes of running jobs"},
                                   Word{"SubmitJobs", "jobs in the queue"},
                                   Word{"WallDuration", "time"},
                                   Word{"MaxWall", "time"},
                                   Word{"Wall", "time"},
                                   Word{"Jobs", "running jobs"},
                                   Word{"GRES", "GPUs"},
                                   Word{"Cpu", "CPUs"},
                                   Word{"CPU", "CPUs"},
                                   Word{"Memory", "memory"},
                                   Word{"Mem", "memory"},
                                   Word{"Node", "nodes"},
                                   Word{"Billing", "billing"},
                                   Word{"License", "licences"},
                                   Word{"BB", "burst buffers"}};
constexpr std::array kTres = {Word{"GRES", "gres/gpu"}, Word{"Cpu", "cpu"}, Word{"CPU", "cpu"},
                              Word{"Mem", "mem"}, Word{"Node", "node"}};
constexpr std::array kScopes = {Word{"PerUser", " of a user"}, Word{"PerAccount", " of an account"},
                                Word{"PerJob", " of a job"}, Word{"PerNode", " of a node"}};

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <class Words>
const Word* word_in(const Words& words, std::string_view text) {
  for (const Word& word : words)
    if (has(text, word.part)) return &word;
  return nullptr;
}

// Parses "AssocGrpGRES", "QOSMaxJobsPerUserLimit", "MaxMemPerLimit": who sets the limit, on what,
// for whom.
std::optional<WaitReason> limit_reason(std::string_view reason, const std::string& limit) {
  const bool of_group = has(reason, "Grp"), most = has(reason, "Max"),
             least = !of_group && !most && has(reason, "Min");
  if (!of_group && !most && !least) return std::nullopt;
  const Word* owner = nullptr;
  for (const Word& word : kOwners)
    if (reason.starts_with(word.part)) owner = &word;
  const Word* resource = word_in(kResources, reason.substr(owner ? owner->part.size() : 0));
  if (resource == nullptr) return std::nullopt;
  const Word* scope = word_in(kScopes, reason);
  const std::string whose = owner ? std::string(owner->words) : "the cluster";
  const std::string what =
      !limit.empty() ? limit
                     : std::string(resource->words) + std::string(scope ? scope->words : "");
  const bool of_job = scope != nullptr && scope->part.ends_with("PerJob") && !of_group;
  if (least) return WaitReason{"it requests less than " + whose + " requires: " + what, true};
  if (of_job || has(reason, "WallDuration"))
    return WaitReason{
        "it requests more than " + whose + "'s limit of " + what + ": lower it in the profile",
        true};
  return WaitReason{whose + "'s limit of " + what + " is reached", false};
}

WaitReason reason_of(std::string_view reason, const std::string& limit) {
  for (const ReasonRow& row : kReasons)
    if (reason == row.name) return {std::string(row.words), row.hopeless};
  if (auto found = limit_reason(reason, limit)) return *found;
  return {"Slurm gives the reason '" + std::string(reason) + "'", false};
}

}  // namespace

WaitReason wait_reason(std::string_view reason, const std::string& limit) {
  if (reason.starts_with('(') && reason.ends_with(')'))
    reason = reason.substr(1, reason.size() - 2);
  if (reason.empty() || reason == "null" || reason == "N/A") reason = "None";
  constexpr std::string_view kNotAvailable = "ReqNodeNotAvail, ";  // and a list of nodes
  if (reason.starts_with(kNotAvailable))
    return {"nodes that it needs are not available: " +
                std::string(reason.substr(kNotAvailable.size())),
            false};
  for (const ReasonRow& row : kReasons)
    if (reason == row.name) return {std::string(row.words), row.hopeless};
  return reason_of(reason.substr(0, reason.find(',')), limit);  // of several, the first decides
}

std::string_view limited_resource(std::string_view reason) {
  if (!has(reason, "Grp") && !has(reason, "Max")) return "";
  const Word* resource = word_in(kTres, reason);
  return resource == nullptr || has(reason, "Minutes") ? "" : resource->words;
}

}  // namespace runner
