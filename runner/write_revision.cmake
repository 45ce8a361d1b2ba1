# Writes OUTPUT from INPUT with the version and the git commit of SOURCE; leaves it untouched when
# nothing changed, so that only a new commit rebuilds the one file that holds it.
set(LCSM_VERSION_TEXT "${VERSION}")
execute_process(COMMAND git -C ${SOURCE} rev-parse --short HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE no_git)
if(no_git STREQUAL "0")
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit ", modified")
  endif()
  string(APPEND LCSM_VERSION_TEXT " (${commit})")
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
