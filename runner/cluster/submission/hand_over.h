// Parts of engines that hand runs over to workers (`lcsm element`) and do not train them here.
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

// The rules for workers that follow from the options of `lcsm run`.
ElementRules rules_of(const EngineSettings& settings);

// The runs to start, except those in `known`.
std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& known = {});

// Says on stdout that there are none.
void report_nothing_to_submit(const Work& work);

// Creates a submission with a new token and, frozen in the workspace, lcsm and the trainer; with
// `gpus` also what the trainer needs there.
Submission submission_of(const Work& work, const std::vector<RunToDo>& runs,
                         const ElementRules& rules, const EngineSettings& settings, bool gpus);

// Calls `look`, ever more rarely while nothing changes, until it returns nullopt: nothing trains
// any more. Its text, which begins as `seen`, is said when it changes. Returns false at SIGINT.
bool wait_until_over(
    std::string seen,
    const std::function<std::optional<std::string>(const std::string& seen)>& look);

// The error for a file of a submission that could not be written.
Failure not_submitted(const std::system_error& error);

// Quotes the words as a command line for a shell.
std::string shell_quoted(const std::string& word);
std::string shell_line(const std::vector<std::string>& words);

}  // namespace runner
