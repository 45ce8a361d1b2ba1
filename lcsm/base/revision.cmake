# Writes OUTPUT, the source file with the git revision of SOURCE. Runs at every build and touches
# the file only when the revision changed. Without git, or in an unpacked archive, there is no
# commit.
set(commit "")
set(dirty false)
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
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include "lcsm/base/revision.h"

namespace lcsm {

const Revision kRevision = {"@VERSION@", "@commit@", @dirty@};

}  // namespace lcsm
]] @ONLY)
