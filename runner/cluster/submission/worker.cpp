#include "runner/cluster/submission/worker.h"

#include <sstream>

#include "lcsm/files/whole_file.h"
#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNodes = "nodes";
constexpr const char* kBadNodesSchema = "lcsm.node/1";
constexpr const char* kEnd = ".json";

}  // namespace

std::vector<std::string> assigned_gpus() {
  const std::string given = environment_variable("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> gpus;
  if (given == "NoDevFiles") return gpus;
  std::istringstream words(given);
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) gpus.push_back(word);
  return gpus;
}

void set_node_aside(const fs::path& submission, const std::string& node, const std::string& why) {
  lcsm::refuse_links(submission / kNodes);
  fs::create_directory(submission / kNodes);
  write_json_file(submission / kNodes / (node + kEnd), {{"schema", kBadNodesSchema},
                                                        {"node", node},
                                                        {"why", why},
                                                        {"by", user_at_host()},
                                                        {"time", utc_now()}});
}

std::set<std::string> nodes_aside(const fs::path& submission) {
  std::set<std::string> nodes;
  for (const fs::directory_entry& entry : results::entries_of(submission / kNodes))
    if (entry.path().extension() == kEnd) nodes.insert(entry.path().stem());
  return nodes;
}

}  // namespace runner
