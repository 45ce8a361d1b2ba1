#include "runner/base/cli/front.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "lcsm/files/whole_file.h"
#include "runner/base/cli/completion.h"
#include "runner/base/cli/help.h"
#include "runner/base/cli/parse.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/text/terminal.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

// "help VERB" is "VERB --help".
Words without_help_verb(const Words& words) {
  if (words.empty() || words.front() != "help") return words;
  Words turned(words.begin() + 1, words.end());
  turned.push_back("--help");
  return turned;
}

void say(const std::string& message) {
  std::fflush(stdout);  // keeps the order of output to one terminal
  if (!message.empty()) print_safe(message + "\n");
}

ExitCode refuse(const std::string& message) {
  say(message);
  return ExitCode::kUsage;
}

// Refuses a wrong command line; what the verb throws passes through. `called` is set as soon as the
// verb is known.
ExitCode parse_and_run(const Verb& program, const Words& words, const Verb** called) {
  if (words.empty())
    return refuse(help_text(program, err_terminal().width) + "\n" + program.name() +
                  ": no verb given");
  const Parsed parsed = parse(program, words);
  *called = parsed.verb;
  switch (parsed.what) {
    case Parsed::What::kHelp:
      fmt::print("{}", help_text(*parsed.verb, out_terminal().width));
      return ExitCode::kDone;
    case Parsed::What::kVersion:
      fmt::print("{}\n", program.version());
      return ExitCode::kDone;
    case Parsed::What::kRefused:
      return refuse(parsed.mistake);
    case Parsed::What::kRun:
      break;
  }
  return static_cast<ExitCode>(parsed.verb->run());
}

// The one place where an error becomes a message and an exit code.
ExitCode run(const Verb& program, const Words& words) {
  const Verb* called = &program;
  const auto said = [&called](const std::string& message) {
    say(message.empty() ? "" : called->call_name() + ": " + message);
  };
  try {
    return parse_and_run(program, without_help_verb(words), &called);
  } catch (const Failure& failure) {
    said(failure.what());
    return failure.code();
  } catch (const std::invalid_argument& error) {
    said(error.what());
    return ExitCode::kUsage;
  } catch (const lcsm::WriteError& error) {
    said(error.what());
    return ExitCode::kOutput;
  } catch (const std::exception& error) {
    if (!std::ferror(stdout)) said(error.what());
    const auto* failed = dynamic_cast<const std::system_error*>(&error);
    return failed != nullptr && lcsm::is_full(failed->code()) ? ExitCode::kOutput
                                                              : ExitCode::kFailed;
  }
}

// A full disk is reported by the last flush, or only when the file is closed. A run that was
// stopped because its terminal closed is still reported as stopped.
ExitCode close_output(const Verb& program, ExitCode code) {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fclose(stdout) == 0 && !failed_before) return code;
  const char* why =
      errno != 0 ? std::strerror(errno) : "see the messages above, or the disk is full";
  print_stderr(fmt::format("{}: the output could not be written: {}\n", program.name(), why));
  return code == ExitCode::kInterrupted ? code : ExitCode::kOutput;
}

}  // namespace

std::string exit_code_list() {
  std::string text = "Exit codes:";
  for (const ExitCodeRow& row : kExitCodes)
    text += fmt::format("\n  {}  {}", static_cast<int>(row.code), row.meaning);
  return text;
}

int run_front(const Verb& program, int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its writer
  // Whatever our parent ignores: `lcsm codes | head -1` ends quietly, and the ends of processes
  // that we start are seen.
  for (const int number : {SIGPIPE, SIGCHLD}) std::signal(number, SIG_DFL);
  const Words words(argv + (argc > 0), argv + argc);
  if (!words.empty() && words.front() == kCompleteVerb) {
    fmt::print("{}", answer_completion(program, Words(words.begin() + 1, words.end())));
    return static_cast<int>(close_output(program, ExitCode::kDone));
  }
  return static_cast<int>(close_output(program, run(program, words)));
}

}  // namespace runner
