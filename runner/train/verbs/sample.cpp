// `lcsm-train sample`: samples text from a trained language model, or translates.
#include <fmt/format.h>
#include <unistd.h>

#include "lcsm/base/allowance.h"
#include "lcsm/base/safe_text.h"
#include "runner/base/cli/sample_options.h"
#include "runner/base/files/text_lines.h"
#include "runner/train/trainer/sampling.h"
#include "runner/train/trainer/threads.h"
#include "runner/train/verbs/run_argument.h"
#include "runner/train/verbs/train_verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

constexpr const char* kSampleFooter = R"text(Examples:
  lcsm-train sample 3f9c --prompt "The king"
  lcsm-train sample 3f9c --tokens 500 --temperature 0.8 --top 40 --seed 2
  lcsm-train sample 3f9c --prompt "The king" --samples 3
  lcsm-train sample 8d21 --prompt "the king saw a bird ."    # of a run that translates

A run that translates prints the translation of each line of the prompt, by the beam search of its
evaluation; the other options do not apply.
On one host, the same seed gives the same text. `lcsm sample` also finds runs by their
values.)text";

// Whole lines as soon as they are there. A terminal is not sent control characters.
class Printer {
 public:
  void take(const std::string& text) {
    line_ += text;
    if (line_.ends_with('\n')) flush();
  }
  void flush() {
    const std::string text = isatty(STDOUT_FILENO) ? lcsm::safe_lines(line_) : line_;
    fmt::print("{}", text);
    std::fflush(stdout);
    line_.clear();
  }

 private:
  std::string line_;
};

void translate(const std::filesystem::path& workspace, const std::string& id,
               const SampleOptions& options) {
  if (options.prompt.empty())
    throw std::invalid_argument("expected --prompt with a sentence to translate, got none");
  Translator translator(workspace, id, options.checkpoint);
  Printer printer;
  for_each_line(options.prompt, [&](std::string_view line) {
    printer.take(translator.translated(std::string(line)) + "\n");
  });
}

void sample(const SampleOptions& options) {
  use_threads(lcsm::read_allowance().cores());
  const auto workspace = workspace_folder(options.workspace);
  const std::string id = run_that_begins(workspace, options.run);
  if (translates(workspace, id)) return translate(workspace, id, options);
  const Sampler sampler(workspace, id, options.checkpoint);
  for (int i = 0; i < options.samples; ++i) {
    const int seed = options.seed + i;
    if (options.samples > 1) fmt::print("{}--- seed {}\n", i > 0 ? "\n" : "", seed);
    Printer printer;
    printer.take(options.prompt);
    sampler.sample({options.prompt, options.tokens, options.temperature, options.top,
                    static_cast<std::uint64_t>(seed)},
                   [&](const std::string& text) { printer.take(text); });
    printer.take("\n");
  }
}

}  // namespace

void add_sample(Verb& program) {
  Verb& verb = program.verb("sample", "Continue or translate a text with a trained model");
  SampleOptions& options = verb.runs(sample);
  verb.argument("run", &options.run, "First digits of the run's id").type("RUN").required();
  declare_sample(verb, &options);
  verb.option("--workspace", &options.workspace, kWorkspaceHelp).type("DIR");
  verb.footer(kSampleFooter);
}

}  // namespace runner
