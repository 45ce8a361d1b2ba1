// The scripts in real shells: types a line and a Tab on a terminal, and reads the command that the
// shell runs from a file, so that the result does not depend on timing or on the shell's drawing.
#include <gtest/gtest.h>

#include <fstream>
#include <ostream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

struct Shell {
  std::string name;
  Words start;
  std::string load;
};

// The name of a parameter in GoogleTest's output.
void PrintTo(const Shell& shell, std::ostream* out) { *out << shell.name; }

const Shell kShells[] = {
    {"bash", {"bash", "--norc", "--noprofile", "-i"}, "eval \"$(lcsm completions bash)\""},
    {"zsh",
     {"zsh", "-f", "-i"},
     "autoload -U compinit; compinit -D -u; eval \"$(lcsm completions zsh)\""},
    {"fish", {"fish", "--no-config", "-i"}, "lcsm completions fish | source"},
};

struct Typed {
  const char* keys;  // up to the Tab
  const char* got;   // the words that lcsm received
};

const Typed kTyped[] = {
    {"lcsm co", "codes"},
    {"lcsm codes s", "codes ssm"},
    {"lcsm codes 1-9-1-4@tau=1", "codes 1-9-1-4@tau=16"},
    {"lcsm codes ssm 1-9-1-4@k", "codes ssm 1-9-1-4@k=64"},
    {"lcsm codes '1-9-1-4@tau=1", "codes 1-9-1-4@tau=16"},
    {"lcsm codes --sc", "codes --scale"},
    {"lcsm codes --scale la", "codes --scale laptop"},
    {"lcsm codes --scale=la", "codes --scale=laptop"},
    {"lcsm codes --file note", "codes --file notes.toml"},
    {"lcsm help fl", "help flood"},
    {"./lcsm co", "codes"},
};

// fish treats a word with `*` as a pattern and offers no candidates for it.
const Typed kStars[] = {
    {"lcsm codes 1-*", "codes 1-*-1-0"},
    {"lcsm codes '1-*", "codes 1-*-1-0"},
    {"lcsm codes 1-\\*", "codes 1-*-1-0"},
};

// `lcsm` for the shell: completes as the sample does, else records its arguments.
void put_lcsm(const std::filesystem::path& folder, const std::string& lcsm,
              const std::string& sample) {
  const auto path = folder / "lcsm";
  std::ofstream(path) << "#!/bin/sh\n"
                      << "case \"$1\" in\n"
                      << "  completions) exec '" << lcsm << "' \"$@\" ;;\n"
                      << "  __complete) exec '" << sample << "' \"$@\" ;;\n"
                      << "esac\n"
                      << "echo \"$*\" >> seen\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

class Completions : public testing::TestWithParam<Shell> {};

}  // namespace

TEST_P(Completions, TabInTheRealShell) {
  const Shell& shell = GetParam();
  const auto lcsm = program_beside("lcsm"), sample = program_beside("lcsm_front_sample");
  if (lcsm.empty() || sample.empty()) GTEST_SKIP() << "needs lcsm and lcsm_front_sample";
  if (run_program({shell.name, "-c", "true"}).status != 0)
    GTEST_SKIP() << shell.name << " is not installed";
  const ScratchFolder scratch;
  put_lcsm(scratch.path(), lcsm, sample);
  std::ofstream(scratch.path() / "notes.toml") << "\n";
  std::string keys = "cd '" + scratch.path().string() + "'\n" + shell.load + "\n";
  std::string want;
  const auto type = [&](const Typed& typed) {
    keys += std::string(typed.keys) + "\t\n";
    want += std::string(typed.got) + "\n";
  };
  for (const Typed& typed : kTyped) type(typed);
  if (shell.name != "fish")
    for (const Typed& typed : kStars) type(typed);
  keys += "exit\n";
  const Ran ran =
      run_on_terminal(shell.start,
                      {"HOME=" + scratch.path().string(), "LANG=C.UTF-8",
                       "PATH=" + scratch.path().string() + ":/usr/local/bin:/usr/bin:/bin"},
                      keys);
  EXPECT_EQ(read_file(scratch.path() / "seen"), want) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Shells, Completions, testing::ValuesIn(kShells),
                         [](const auto& shell) { return shell.param.name; });

}  // namespace runner
