# Writes OUTPUT, the source file with the git revision of SOURCE, and DIFF_OUTPUT, the one with the
# changes to that commit. Runs at every build and touches a file only when its content changed. Without
# git, or in an unpacked archive, there is no commit.
set(commit "")
set(dirty false)
set(bytes "")
set(most_bytes 1048576)
set(git git -C ${SOURCE} -c safe.directory=*)
execute_process(COMMAND ${git} rev-parse --show-toplevel HEAD
  OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
# An archive unpacked inside another repository is not that repository.
if(NOT failed AND answer MATCHES "^(.*)\n([0-9a-f]+)$" AND CMAKE_MATCH_1 STREQUAL SOURCE)
  set(commit ${CMAKE_MATCH_2})
  execute_process(COMMAND ${git} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(changes)
    set(dirty true)
  endif()
endif()

# In hexadecimal, since CMake's texts hold neither every byte nor every list of lines.
if(dirty)
  set(file ${DIFF_OUTPUT}.diff)
  execute_process(COMMAND ${git} diff --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/ HEAD
    OUTPUT_FILE ${file} ERROR_QUIET)
  execute_process(COMMAND ${git} ls-files --others --exclude-standard
    OUTPUT_VARIABLE untracked ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "([^\n]+)" "untracked: \\1" untracked "${untracked}")
  string(HEX "commit: ${commit}\n${untracked}\n" heading)
  file(READ ${file} changes LIMIT ${most_bytes} HEX)
  file(SIZE ${file} size)
  set(cut "")
  if(size GREATER most_bytes)
    string(HEX "\ncut: the first ${most_bytes} of ${size} bytes\n" cut)
  endif()
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${heading}${changes}${cut}")
  file(REMOVE ${file})
endif()

file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include "lcsm/base/revision.h"

namespace lcsm {

const Revision kRevision = {"@VERSION@", "@commit@", @dirty@};

}  // namespace lcsm
]] @ONLY)
file(CONFIGURE OUTPUT ${DIFF_OUTPUT} CONTENT [[
#include "lcsm/base/source_diff.h"

namespace lcsm {
namespace {

constexpr char kBytes[] = "@bytes@";

}  // namespace

const std::string_view kSourceDiff(kBytes, sizeof kBytes - 1);

}  // namespace lcsm
]] @ONLY)
