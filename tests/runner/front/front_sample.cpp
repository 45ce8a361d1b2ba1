// A program made of the front and three small verbs: what the tests of the front run.
#include <fmt/format.h>

#include <memory>

#include "runner/front/completion.h"
#include "runner/front/front.h"
#include "runner/process/exit_code.h"
#include "runner/text/text_table.h"

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

void add_codes(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("codes", "List the codes");
  const auto asked = std::make_shared<Asked>();
  runner::complete_with(verb->add_option("code", asked->words, "codes or patterns"), codes);
  verb->add_option("--d", asked->d, "model width")->check(CLI::Range(1, 4096));
  verb->add_option("--k", asked->k, "state size");
  runner::one_of(verb->add_option("--scale", asked->scale, "size of the variant"),
                 {{"paper", "as published"}, {"laptop", "minutes"}});
  verb->add_option("--file", asked->file, "a file")->check(CLI::ExistingFile);
  verb->add_flag("--json", asked->json, "as JSON");
  verb->footer("Examples:\n  lcsm codes '1-*-1-0'");
  verb->callback([asked] {
    runner::TextTable table({{"code"}, {"meaning", runner::Align::kLeft, 12}});
    for (const auto& word : asked->words)
      table.add_row({word, "σ(p_d)^(1/τ), of which this line tells much more than fits into 80"});
    fmt::print("{}", table.text(runner::out_terminal()));
  });
}

void add_fail(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("fail", "End with a code");
  const auto code = std::make_shared<int>(1);
  verb->add_option("code", *code, "which")->required();
  verb->callback([code] {
    fmt::print("before\n");
    if (*code == 100) throw std::invalid_argument("expected a, got b");
    if (*code == 101) throw std::runtime_error("it broke");
    throw runner::Failure(static_cast<runner::ExitCode>(*code), "failed as asked");
  });
}

void add_flood(CLI::App& app) {
  app.add_subcommand("flood", "Print more than a pipe holds")->callback([] {
    for (int i = 0; i < 100000; ++i) fmt::print("line {}\n", i);
  });
}

void add_verbs(CLI::App& app) {
  add_codes(app);
  add_fail(app);
  add_flood(app);
}

}  // namespace

int main(int argc, char** argv) { return runner::run_front(argc, argv, add_verbs); }
