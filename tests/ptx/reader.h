// Parses PTX text into a Program and places the module's arrays in device memory.
#pragma once

#include <string>

#include "tests/ptx/memory.h"
#include "tests/ptx/program.h"

namespace ptx {

// Throws, naming kernel, line and statement, if something is not implemented.
Program read_program(const std::string& name, const std::string& text, Memory& memory);

// Loads a PTX file.
Program load_program(const std::string& path, Memory& memory);

}  // namespace ptx
