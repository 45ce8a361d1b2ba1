// The source tree of the tests' build, which may have been removed since.
#pragma once

#include <filesystem>

std::filesystem::path source_folder();
