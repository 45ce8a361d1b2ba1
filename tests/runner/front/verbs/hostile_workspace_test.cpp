// Verbs on a malicious workspace: links at every name that the program writes, and forged content
// in every file. Nothing may lead out of the workspace, crash a verb, or cost much time or memory.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <map>
#include <random>

#include "tests/runner/fake_sweep.h"
#include "tests/sanitized.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeed = 2026;

// Every path below the folder, with a file's content.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    content[entry.path().lexically_relative(folder)] =
        entry.is_regular_file() ? read_file(entry.path()) : "";
  return content;
}

void set_end_back(const fs::path& events) {
  std::string text = read_file(events);
  text.resize(text.rfind('\n', text.size() - 2) + 1);
  std::ofstream(events) << text;
}

// Processor time, which other work on the host changes less than wall time.
double seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// A run that can be resumed, 20, and one that is done, 21, with one of every file that verbs write.
class HostileWorkspace : public WithPrograms {
 protected:
  void SetUp() override {
    WithPrograms::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(sweep_.run().status, 0);
    ids_ = {sweep_.id(20), sweep_.id(21)};
    ASSERT_EQ(sweep_.lcsm({"tag", "good", ids_[0]}).status, 0);
    ASSERT_EQ(sweep_.lcsm({"note", ids_[0], "a note"}).status, 0);
    ASSERT_EQ(sweep_.lcsm({"jobs", "2"}).status, 0);
    ASSERT_EQ(sweep_.lcsm({"retry", ids_[0]}).status, 0);
    set_end_back(run_folder() / "events.jsonl");
    fs::rename(sweep_.workspace(), pristine());
    fs::create_directories(outside() / "folder");
    for (const char* name : {"file", "folder/file"})
      std::ofstream(outside() / name) << "not of the workspace\n";
    outside_ = content_of(outside());
  }
  fs::path run_folder() const { return sweep_.workspace() / "runs" / ids_[0]; }
  fs::path pristine() const { return sweep_.folder() / "pristine"; }
  fs::path outside() const { return sweep_.folder() / "outside"; }

  // The names to replace, each in a fresh copy of the workspace; not the other run's.
  void each_name(const std::function<void(const fs::path& path, bool is_folder)>& replaced) const {
    for (const auto& entry : fs::recursive_directory_iterator(pristine())) {
      const fs::path name = entry.path().lexically_relative(pristine());
      if (name.string().find(ids_[1]) != std::string::npos) continue;
      SCOPED_TRACE(name.string());
      fs::remove_all(sweep_.workspace());
      fs::copy(pristine(), sweep_.workspace(), fs::copy_options::recursive);
      replaced(sweep_.workspace() / name, entry.is_directory());
    }
  }

  // Within 500 MB and 10 s of a processor.
  Ran verb(Words words, bool quiet = true) const {
    words.insert(words.begin(), program_beside("lcsm").string());
    words.insert(words.end(), {"--workspace", sweep_.workspace().string()});
    const std::string limit = tests::kSanitized ? "" : "ulimit -v 500000; ulimit -f 100000; ";
    words.insert(words.begin(),
                 {"/bin/sh", "-c", limit + "exec \"$@\"" + (quiet ? " > /dev/null" : ""), "sh"});
    const double before = seconds_of_children();
    Ran ran = run_program(words);
    EXPECT_LT(seconds_of_children() - before, 10) << words[5];
    EXPECT_LT(ran.status, 126) << words[5] << "\n" << ran.err;
    EXPECT_FALSE(has(ran.err, "bad_alloc")) << words[5] << "\n" << ran.err;
    return ran;
  }

  FakeSweep sweep_{"20, 21"};
  std::array<std::string, 2> ids_;
  std::map<std::string, std::string> outside_;
};

}  // namespace

// Tests every name in the workspace, so names that verbs write in future are covered, too.
TEST_F(HostileWorkspace, NoLinkLeadsOut) {
  std::mt19937 random(kSeed);
  const std::string file = sweep_.file().string();
  each_name([&](const fs::path& path, bool is_folder) {
    fs::remove_all(path);
    const char* const target = is_folder ? "folder" : random() % 2 == 0 ? "file" : "new";
    fs::create_symlink(outside() / target, path);
    EXPECT_LT(run_program(sweep_.run_words({"--retries", "0"})).status, 126);
    for (const Words& words : {Words{"tag", "more", ids_[0]}, Words{"note", ids_[0], "more"},
                               Words{"cancel", ids_[0]}, Words{"jobs", "3"}, Words{"rebuild"},
                               Words{"gc", "--yes"}, Words{"forget", ids_[0], "--yes"}})
      verb(words);
    EXPECT_EQ(content_of(outside()), outside_);
  });
}

TEST_F(HostileWorkspace, NoForgedFileHidesTheOthers) {
  const std::array<std::function<void(const fs::path&)>, 6> forgeries = {
      [](const fs::path& path) { std::ofstream(path) << std::string(100'000, '['); },
      [](const fs::path& path) {
        std::ofstream(path) << "{\"schema\": \"lcsm.evaluation/1\", \"x\": 1e999, \"a\": "
                            << std::string(100'000, '[') << std::string(100'000, ']') << "}\n";
      },
      [](const fs::path& path) {
        std::ofstream(path).close();
        fs::resize_file(path, std::uintmax_t{1} << 40);
      },
      [](const fs::path& path) { ASSERT_EQ(mkfifo(path.c_str(), 0600), 0); },
      [](const fs::path& path) { fs::create_symlink("/dev/zero", path); },
      [](const fs::path& path) { fs::create_symlink(path, path); }};
  const std::string file = sweep_.file().string();
  const std::array<Words, 8> verbs = {Words{"status", file},  Words{"why", ids_[0]},
                                      Words{"log", ids_[0]},  Words{"log", ids_[0], "--stderr"},
                                      Words{"show", ids_[0]}, Words{"plan", file},
                                      Words{"table", file},   Words{"doctor"}};
  std::mt19937 random(kSeed);
  each_name([&](const fs::path& path, bool is_folder) {
    if (is_folder) return;
    for (const auto& forge : forgeries) {
      fs::remove_all(path);
      forge(path);
      verb(verbs[random() % verbs.size()]);
      const Ran ran = verb({"query", "SELECT id FROM runs", "--format", "csv"}, /*quiet=*/false);
      EXPECT_TRUE(has(ran.out, ids_[1])) << ran.out << ran.err;
    }
  });
}

}  // namespace runner
