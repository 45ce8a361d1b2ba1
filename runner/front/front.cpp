#include "runner/front/front.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "lcsm/base/revision.h"
#include "runner/front/completion.h"
#include "runner/front/help.h"
#include "runner/front/usage_error.h"
#include "runner/process/exit_code.h"
#include "runner/process/tell.h"
#include "runner/text/terminal.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

std::string exit_code_list() {
  std::string text = "Exit codes:";
  for (const ExitCodeRow& row : kExitCodes)
    text += fmt::format("\n  {}  {}", static_cast<int>(row.code), row.meaning);
  return text;
}

void describe_program(CLI::App& app) {
  app.description("LCSM explorer: linear-complexity sequence models, written as e-o-s-a codes.");
  app.name("lcsm");
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag("--version", "lcsm " + lcsm::revision_text(),
                       "Show the version and its commit");
  app.require_subcommand(1);
  app.footer("'lcsm help VERB' explains a verb.\n\n" + exit_code_list());
}

// "help VERB" is "VERB --help".
Words without_help_verb(const Words& words) {
  if (words.empty() || words.front() != "help") return words;
  Words turned(words.begin() + 1, words.end());
  turned.push_back("--help");
  return turned;
}

const CLI::App& chosen(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.back();
}

void say(const std::string& message) {
  std::fflush(stdout);  // what was printed before stands before it
  if (!message.empty()) tell(message + "\n");
}

ExitCode refuse(const std::string& message) {
  say(message);
  return ExitCode::kUsage;
}

// Refusals of the command line itself; what a verb throws passes through.
ExitCode parse_and_run(CLI::App& app, const Words& words) {
  if (words.empty()) return refuse(help_text(app, err_terminal().width) + "\nlcsm: no verb given");
  if (words.front().empty() || words.front()[0] != '-') {
    const std::string unknown = unknown_verb(app, words.front());
    if (!unknown.empty()) return refuse(unknown);
  }
  try {
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", help_text(chosen(app), out_terminal().width));
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
  } catch (const CLI::RuntimeError& ended) {
    return static_cast<ExitCode>(ended.get_exit_code());
  } catch (const CLI::ParseError& error) {
    return refuse(usage_error(app, error));
  }
  return ExitCode::kDone;
}

// The single place where an error becomes a sentence and a number.
ExitCode run(CLI::App& app, const Words& words) {
  const auto said = [&app](const std::string& message) {
    say(message.empty() ? "" : call_name(chosen(app)) + ": " + message);
  };
  try {
    return parse_and_run(app, without_help_verb(words));
  } catch (const Failure& failure) {
    said(failure.what());
    return failure.code();
  } catch (const std::invalid_argument& error) {
    said(error.what());
    return ExitCode::kUsage;
  } catch (const std::exception& error) {
    if (!std::ferror(stdout)) said(error.what());
    return ExitCode::kFailed;
  }
}

// A full disk shows itself at the last flush, or only when the file is closed. What was stopped
// with its terminal gone has still stopped well.
ExitCode close_output(ExitCode code) {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fclose(stdout) == 0 && !failed_before) return code;
  const char* why =
      errno != 0 ? std::strerror(errno) : "see the messages above, or the disk is full";
  tell(fmt::format("lcsm: the output could not be written: {}\n", why));
  return code == ExitCode::kInterrupted ? code : ExitCode::kOutput;
}

}  // namespace

int run_front(int argc, char** argv, void (*add_verbs)(CLI::App&)) {
  std::signal(SIGPIPE, SIG_DFL);  // `lcsm codes | head -1` ends quietly, whoever started us
  CLI::App app;
  describe_program(app);
  add_verbs(app);
  const Words words(argv + (argc > 0), argv + argc);
  if (!words.empty() && words.front() == kCompleteVerb) {
    fmt::print("{}", answer_completion(app, Words(words.begin() + 1, words.end())));
    return static_cast<int>(close_output(ExitCode::kDone));
  }
  return static_cast<int>(close_output(run(app, words)));
}

}  // namespace runner
