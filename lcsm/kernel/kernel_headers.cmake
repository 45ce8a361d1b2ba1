# Writes OUTPUT, the texts of the HEADERS of SOURCE, for kernel_headers.h.
cmake_minimum_required(VERSION 3.25)
set(rows "")
foreach(path IN LISTS HEADERS)
  file(READ ${SOURCE}/${path} text)
  string(APPEND rows "      {\"${path}\", R\"source(${text})source\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"lcsm/kernel/kernel_headers.h\"

namespace lcsm {

std::span<const KernelHeader> kernel_headers() {
  static constexpr KernelHeader kHeaders[] = {
${rows}  };
  return kHeaders;
}

}  // namespace lcsm
")
