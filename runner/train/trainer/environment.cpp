#include "runner/train/trainer/environment.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/resource.h>
#include <torch/headeronly/version.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "lcsm/base/allowance.h"
#include "lcsm/base/revision.h"
#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "results/events/value_json.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/tasks/task.h"

namespace runner {
namespace {

using nlohmann::ordered_json;

std::string file_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A JSON array of words, which need not be UTF-8.
std::string command_line() {
  ordered_json words = ordered_json::array();
  const std::string all = file_text("/proc/self/cmdline");
  for (std::size_t at = 0; at < all.size(); at = all.find('\0', at) + 1)
    words.push_back(all.substr(at, all.find('\0', at) - at));
  return json_line(words);
}

void find_build_id(const char* notes, std::size_t size, std::string* id) {
  const auto whole_words = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  for (const char* const end = notes + size; notes + sizeof(ElfW(Nhdr)) <= end;) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof head);
    const char* const name = notes + sizeof head;
    const char* const content = name + whole_words(head.n_namesz);
    if (head.n_type == NT_GNU_BUILD_ID && std::string_view(name, head.n_namesz).starts_with("GNU"))
      for (std::size_t i = 0; i < head.n_descsz; ++i)
        *id += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
    notes = content + whole_words(head.n_descsz);
  }
}

// The linker's hash of the program, as `readelf -n` shows it; "" if it has none.
std::string build_id() {
  std::string id;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_NOTE)
            find_build_id(
                reinterpret_cast<const char*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                info->dlpi_phdr[i].p_memsz, static_cast<std::string*>(into));
        return 1;  // the program is the first
      },
      &id);
  return id;
}

}  // namespace

results::Values environment_of_process(const std::string& device) {
  const lcsm::Allowance allowed = lcsm::read_allowance();
  const ProcessFacts facts = facts_of_process(getpid()).value_or(ProcessFacts{});
  return {
      {"argv", results::List{command_line()}},
      {"boot", boot_id()},
      {"commit", std::string(lcsm::kRevision.commit)},
      {"cores", std::int64_t{allowed.cores()}},
      {"cpu", lcsm::cpu_model()},
      {"cpu_capability", at::get_cpu_capability()},
      {"device", device},
      {"dirty", lcsm::kRevision.dirty},
      {"host", host_name()},
      {"libtorch", std::string(TORCH_VERSION)},
      {"memory", static_cast<std::int64_t>(allowed.memory_total)},
      {"pid", std::int64_t{getpid()}},
      {"program", build_id()},
      {"started_ticks", facts.started},
      {"threads", std::int64_t{at::get_num_threads()}},
      {"version", std::string(lcsm::kRevision.version)},
  };
}

results::Values facts_of_data(const RunConfig& config, const std::filesystem::path& workspace) {
  if (config.task().reader != "text" || config.needs_content()) return {};
  return {{std::string(results::kTextFact), content_of_files(config, workspace)}};
}

std::string why_other_data(const RunConfig& config, const std::filesystem::path& workspace,
                           const std::filesystem::path& folder) {
  const results::Values now = facts_of_data(config, workspace);
  if (now.empty()) return "";
  results::Values trained = now;
  results::EventReader events(results::event_file(folder));
  while (const auto event = events.next())
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event->line))
      for (auto& [name, value] : trained)
        if (const auto fact = attempt->environment.find(name); fact != attempt->environment.end())
          value = fact->second;
  if (trained == now) return "";
  return "expected the texts that the run was trained on, but those of task.name = \"" +
         config.text("task.name"_key) +
         "\" were changed since: bring them back, or use task.name = \"text\" for other texts";
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string json_text(const results::Values& values) {
  return printed_json(results::json_of(values));
}

}  // namespace runner
