// A program with three small verbs for the tests of the command line.
#include <fmt/format.h>

#include <cerrno>

#include "lcsm/base/revision.h"
#include "lcsm/files/whole_file.h"
#include "runner/base/cli/front.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/text_table.h"

namespace {

std::vector<runner::Candidate> codes(const std::string& prefix) {
  std::vector<runner::Candidate> found = {{"1-9-1-0", "e learned, o = 9"},
                                          {"1-9-1-4", "silu"},
                                          {"1-10-1-0", "cumulative sum"},
                                          {"1-*-1-0", "every oscillation"},
                                          {"ssm", "Mamba"}};
  const std::string code = prefix.substr(0, prefix.find('@'));
  if (code.size() < prefix.size())
    for (const char* key : {"@tau=8", "@tau=16", "@k=64"}) found.push_back({code + key, "option"});
  return found;
}

struct Asked {
  std::vector<std::string> words;
  std::string scale, file;
  int d = 512, k = 64;
  bool json = false;
};

void print_codes(const Asked& asked) {
  runner::TextTable table({{"code"}, {"meaning", runner::Align::kLeft, 12}});
  for (const auto& word : asked.words)
    table.add_row({word, "σ(p_d)^(1/τ), of which this line tells much more than fits into 80"});
  fmt::print("{}", table.text(runner::out_terminal()));
}

void add_codes(runner::Verb& program) {
  runner::Verb& verb = program.verb("codes", "List the codes");
  Asked& asked = verb.runs(print_codes);
  verb.argument("code", &asked.words, "codes or patterns").completes(codes);
  verb.option("--d", &asked.d, "model width").range(1, 4096);
  verb.option("--k", &asked.k, "state size");
  verb.option("--scale", &asked.scale, "size of the variant")
      .choices({{"paper", "as published"}, {"laptop", "minutes"}});
  verb.option("--file", &asked.file, "a file").existing_file();
  verb.flag("--json", &asked.json, "as JSON");
  verb.footer("Examples:\n  lcsm codes '1-*-1-0'");
}

void fail(const int& code) {
  fmt::print("before\n");
  if (code == 100) throw std::invalid_argument("expected a, got b");
  if (code == 101) throw std::runtime_error("it broke");
  if (code == 102) throw lcsm::WriteError(ENOSPC, "'x' cannot be written");
  throw runner::Failure(static_cast<runner::ExitCode>(code), "failed as asked");
}

void add_fail(runner::Verb& program) {
  runner::Verb& verb = program.verb("fail", "End with a code");
  int& code = verb.runs(fail);
  verb.argument("code", &code, "which").required();
}

struct Nothing {};

void flood(const Nothing&) {
  for (int i = 0; i < 100000; ++i) fmt::print("line {}\n", i);
}

}  // namespace

int main(int argc, char** argv) {
  runner::Verb program("lcsm", "A program of three verbs");
  program.version("lcsm " + lcsm::revision_text());
  add_codes(program);
  add_fail(program);
  program.verb("flood", "Print more than a pipe holds").runs(flood);
  return runner::run_front(program, argc, argv);
}
