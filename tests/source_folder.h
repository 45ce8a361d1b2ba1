// The tree that the tests were built from; it need not be there any more.
#pragma once

#include <filesystem>

std::filesystem::path source_folder();
