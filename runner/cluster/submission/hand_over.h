// Shared by engines that submit runs to workers (`lcsm element`) instead of training them here.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "runner/base/process/exit_code.h"
#include "runner/cluster/submission/submission.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

using Said = std::function<void(const std::string& text)>;

void say(const std::string& text);  // on stderr, after "lcsm run: "

// The workers' rules, from the options of `lcsm run`.
ElementRules rules_of(const EngineSettings& settings);

// The runs to start, except those in `known`.
std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& known = {});

// Prints on stdout that there is no run to submit.
void report_nothing_to_submit(const Work& work);

// Creates a submission with a new token, and freezes lcsm and the trainer in the workspace; with
// `gpus`, also the trainer's GPU libraries.
Submission submission_of(const Work& work, const std::vector<RunToDo>& runs,
                         const ElementRules& rules, const EngineSettings& settings, bool gpus);

// Calls `look`, ever more rarely while nothing changes, until it returns nullopt: nothing trains
// any more. Prints its text, at first `seen`, whenever it changes. Returns false at SIGINT.
bool wait_until_over(
    std::string seen,
    const std::function<std::optional<std::string>(const std::string& seen)>& look);

// The error for a file of a submission that could not be written.
Failure not_submitted(const std::system_error& error);

// Quotes the words as a command line for a shell.
std::string shell_quoted(const std::string& word);
std::string shell_line(const std::vector<std::string>& words);

}  // namespace runner
