#include "runner/train/trainer/run_record.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

RunConfig run_record_config_of(const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"task.name=mqar", "model.code=1-9-1-0"};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

TEST(RunRecord, IsAFolderThatReadsBackToTheSameRun) {
  const ScratchFolder workspace;
  const RunConfig config = run_record_config_of({"optim.lr=2e-3"});
  RunRecord record(workspace.path(), config);
  EXPECT_EQ(record.id(), run_id(config));
  record.begin_attempt(config, {{"host", std::string("here")}}, 0, 0);
  const RunConfig read = parse_config(read_file(record.folder() / results::kConfigFile), "", {},
                                      [](const std::string&) {});
  EXPECT_EQ(run_id(read), record.id());
  EXPECT_EQ(read_file(record.folder() / results::kEnvironmentFile), "{\n  \"host\": \"here\"\n}\n");
}

TEST(RunRecord, WritesMessagesToTheLogAndTheEvents) {
  const ScratchFolder workspace;
  const RunConfig config = run_record_config_of();
  RunRecord record(workspace.path(), config);
  testing::internal::CaptureStderr();
  record.say("info", "before");
  record.begin_attempt(config, {}, 0, 0);
  record.say("warning", "after");
  const std::string wanted = "lcsm-train run: before\nlcsm-train run: warning: after\n";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), wanted);
  EXPECT_EQ(read_file(record.folder() / "stderr.log"), wanted);
  results::EventReader reader(record.folder() / results::kEventFile);
  std::vector<std::string> messages;
  while (const auto event = reader.next())
    if (const auto* line = std::get_if<results::MessageLine>(&event->line))
      messages.push_back(line->text);
  EXPECT_EQ(messages, std::vector<std::string>{"after"});
}

TEST(RunRecord, KeepsTheDiffOfEachAttempt) {
  const ScratchFolder workspace;
  const RunConfig config = run_record_config_of();
  RunRecord record(workspace.path(), config);
  for (const char* diff : {"first", "", "second"}) record.begin_attempt(config, {}, 0, 0, diff);
  std::vector<std::string> kept;
  results::EventReader reader(record.folder() / results::kEventFile);
  while (const auto event = reader.next())
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event->line))
      for (const auto& [name, file] : attempt->environment)
        kept.push_back(name + " " + read_file(record.folder() / std::get<std::string>(file)));
  EXPECT_EQ(kept, (std::vector<std::string>{"diff first", "diff second"}));
}

TEST(RunRecord, HasOneWriter) {
  const ScratchFolder workspace;
  const RunRecord record(workspace.path(), run_record_config_of());
  EXPECT_THROW(RunRecord(workspace.path(), run_record_config_of()), results::BeingWritten);
  EXPECT_NO_THROW(RunRecord(workspace.path(), run_record_config_of({"seed=2"})));
}

TEST(RunRecord, RemovesLeftoversOfKilledWrites) {
  const ScratchFolder workspace;
  const RunConfig config = run_record_config_of();
  const fs::path folder = RunRecord(workspace.path(), config).folder();
  std::ofstream(folder / ".config.toml.17.tmp") << "half";
  RunRecord(workspace.path(), config);
  EXPECT_FALSE(fs::exists(folder / ".config.toml.17.tmp"));
}

}  // namespace
}  // namespace runner
