// Runs every command of every README in a folder of its own with the programs of this build.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "tests/house/readme_commands.h"
#include "tests/house/source_tree.h"
#include "tests/runner/run_program.h"
#include "tests/source_folder.h"

namespace house {
namespace {

namespace fs = std::filesystem;

// A folder that looks like a checkout after ./bootstrap: ./bootstrap VERB, build/lcsm, sweeps/.
void furnish(const fs::path& folder, const fs::path& programs) {
  std::ofstream(folder / "bootstrap") << "#!/bin/sh\nexec build/lcsm \"$@\"\n";
  fs::permissions(folder / "bootstrap", fs::perms::owner_all);
  fs::create_directory(folder / "build");
  for (const char* name : {"lcsm", "lcsm-train"})
    if (fs::exists(programs / name)) fs::create_symlink(programs / name, folder / "build" / name);
  if (fs::exists(source_folder() / "sweeps"))
    fs::create_directory_symlink(source_folder() / "sweeps", folder / "sweeps");
}

runner::Ran run_in(const fs::path& folder, const fs::path& programs, const std::string& command) {
  const std::string line = "cd '" + folder.string() + "' && { " + command + "\n} 2>&1";
  return runner::run_program(
      {"bash", "-c", line},
      {"HOME=" + folder.string(), "PATH=" + programs.string() + ":/usr/local/bin:/usr/bin:/bin"});
}

using Broken = std::vector<std::string>;

// The commands of a README that fail or print something else.
Broken broken_promises(const SourceFile& readme, const fs::path& folder, const fs::path& programs) {
  Broken broken;
  for (const ReadmeCommand& shown : commands_of(readme.text)) {
    const std::string place = readme.path + ":" + std::to_string(shown.line) + ": " + shown.command;
    const bool trains = shown.command.find("lcsm-train") != std::string::npos ||
                        shown.command.starts_with("./bootstrap run ");
    if (trains && !fs::exists(programs / "lcsm-train")) {
      std::cout << "skipped, this build has no lcsm-train: " << place << "\n";
      continue;
    }
    if (!exempt_because(shown.command).empty()) continue;
    const runner::Ran ran = run_in(folder, programs, shown.command);
    if (ran.status != 0)
      broken.push_back(place + ": status " + std::to_string(ran.status) + "\n" + ran.out);
    else if (shown.shows_output && !same_output(shown.output, ran.out))
      broken.push_back(place + ": expected\n" + shown.output + "got\n" + ran.out);
  }
  return broken;
}

}  // namespace

TEST(Readme, EveryCommandDoesWhatIsShown) {
  if (!fs::exists(source_folder() / "CMakeLists.txt"))
    GTEST_SKIP() << "no source tree at " << source_folder();
  const fs::path lcsm = runner::program_beside("lcsm");
  if (lcsm.empty()) GTEST_SKIP() << "lcsm is not beside this test";
  const runner::ScratchFolder scratch;
  furnish(scratch.path(), lcsm.parent_path());
  for (const SourceFile& file : read_tree(source_folder()).files)
    if (file.path.ends_with("README.md"))
      for (const std::string& promise : broken_promises(file, scratch.path(), lcsm.parent_path()))
        ADD_FAILURE() << promise;
}

TEST(Readme, ABrokenPromiseIsFound) {
  const runner::ScratchFolder scratch;
  const SourceFile readme{"README.md",
                          "```sh\ntrue\nexit 3\ngit clone nowhere\n```\n"
                          "```console\n$ echo a; echo b >&2\na\nb\n$ echo a\nb\n```\n"
                          "```fish\nexit 4\n```\n"
                          "```toml\n# a.toml\nb = 'c'\n```\n```toml\nd\n```\n"
                          "```sh\ngrep \"^b = 'c'$\" a.toml && ! grep d a.toml\n```\n"};
  EXPECT_EQ(
      broken_promises(readme, scratch.path(), scratch.path()),
      (Broken{"README.md:3: exit 3: status 3\n", "README.md:10: echo a: expected\nb\ngot\na\n"}));
}

}  // namespace house
