// `lcsm completions bash|zsh|fish`: prints the script with which a shell asks this program for
// completions.
#include <fmt/format.h>

#include <string>

#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

constexpr std::string_view kBash = R"sh(# bash completion of lcsm
_lcsm() {
  local LC_ALL=C  # COMP_POINT counts bytes
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]/#\~/$HOME}" __complete bash \
    "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  if [[ ${COMPREPLY[0]-} == :files ]]; then
    COMPREPLY=()
    compopt -o default +o nospace
  fi
}
complete -o nospace -F _lcsm lcsm
)sh";

constexpr std::string_view kZsh = R"sh(#compdef lcsm
_lcsm() {
  local line word about
  local -a lines spaced joined
  lines=("${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    word=${line%%$'\t'*}
    about=${${line#$word}#$'\t'}
    if [[ $word == *[=@,/-] ]]; then
      joined+=("${word//:/\\:}:$about")
    else
      spaced+=("${word//:/\\:}:$about")
    fi
  done
  _describe lcsm spaced -- joined -S ''
}
if [[ $funcstack[1] == _lcsm ]]; then
  _lcsm "$@"
else
  compdef _lcsm lcsm
fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion of lcsm
function __lcsm_complete
    set -l words (commandline -opc)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    type -q -- $program; or return
    set -l lines ($program __complete fish $words (commandline -ct) 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $lines
    end
end
complete -c lcsm -f -a '(__lcsm_complete)'
)sh";

constexpr std::string_view kCompletionsFooter = R"sh(Examples:
  eval "$(lcsm completions bash)"
  eval "$(lcsm completions zsh)"       after compinit
  lcsm completions fish | source

To keep them:
  lcsm completions bash > ~/.local/share/bash-completion/completions/lcsm
  lcsm completions zsh > DIR/_lcsm     DIR: a folder in $fpath
  lcsm completions fish > ~/.config/fish/completions/lcsm.fish)sh";

void print_script(const std::string& shell) {
  fmt::print("{}", shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
}

}  // namespace

void add_completions(Verb& program) {
  Verb& verb = program.verb("completions", "Print the script for shell completion");
  std::string& shell = verb.runs(print_script);
  verb.argument("shell", &shell, "Your shell")
      .required()
      .choices({{"bash", "GNU bash 4.4 or newer"}, {"zsh", "zsh 5"}, {"fish", "fish 3"}});
  verb.footer(std::string(kCompletionsFooter));
}

}  // namespace runner
