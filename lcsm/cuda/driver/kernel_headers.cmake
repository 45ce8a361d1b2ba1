# Writes OUTPUT, the texts of the HEADERS of SOURCE, for DECLARATION: kernel_headers of NAMESPACE.
cmake_minimum_required(VERSION 3.25)
set(rows "")
foreach(path IN LISTS HEADERS)
  file(READ ${SOURCE}/${path} text)
  string(APPEND rows "      {\"${path}\", R\"source(${text})source\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${DECLARATION}\"

namespace ${NAMESPACE} {

std::span<const lcsm::KernelHeader> kernel_headers() {
  static constexpr lcsm::KernelHeader kHeaders[] = {
${rows}  };
  return kHeaders;
}

}  // namespace ${NAMESPACE}
")
