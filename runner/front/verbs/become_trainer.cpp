#include "runner/front/verbs/become_trainer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runner/base/host/libtorch.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/process_facts.h"

namespace runner {

[[noreturn]] void become_trainer(std::vector<std::string> words) {
  const auto trainer = program_folder() / "lcsm-train";
  find_libtorch(trainer);
  words.insert(words.begin(), trainer.string());
  std::fflush(nullptr);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  throw Failure(ExitCode::kMissing,
                fmt::format("{} cannot be started: {}", words[0], std::strerror(errno)));
}

}  // namespace runner
