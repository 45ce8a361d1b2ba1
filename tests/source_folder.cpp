#include "tests/source_folder.h"

std::filesystem::path source_folder() { return LCSM_SOURCE_DIR; }
