#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

std::string bits_type(char width) {
  return width == '1' ? "pred" : "b" + std::to_string(8 * (width - '0'));
}

// Moves the low bits of %rd into a register of another width, or back.
std::string narrow(const std::string& to, char width, const std::string& from) {
  if (width == '8') return "mov.b64 " + to + ", " + from + ";\n";
  if (width == '1') return "setp.ne.u64 " + to + ", " + from + ", 0;\n";
  return "cvt.u" + std::to_string(8 * (width - '0')) + ".u64 " + to + ", " + from + ";\n";
}

std::string widen(const std::string& to, const std::string& from, char width) {
  if (width == '8') return "mov.b64 " + to + ", " + from + ";\n";
  if (width == '1') return "selp.b64 " + to + ", 1, 0, " + from + ";\n";
  return "cvt.u64.u" + std::to_string(8 * (width - '0')) + " " + to + ", " + from + ";\n";
}

}  // namespace

std::string module_of(const std::string& body, const std::string& declarations) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations +
         "\n.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2)\n{\n"
         ".reg .b64 %rd<20>;\n.reg .b32 %r<40>;\n.reg .f32 %f<40>;\n.reg .b16 %h<20>;\n.reg .pred "
         "%p<8>;\n"
         "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nld.param.u64 %rd2, [p2];\n"
         "mov.u32 %r9, %tid.x;\n" +
         body + "\nret;\n}\n";
}

std::string opcode_of(const Case& row) {
  const std::string text = row.statement;
  return text.substr(0, text.find_first_of(". ;"));
}

u64 result_of(const Case& row, double ulps) {
  std::string body = ".reg .pred %p, %q;\n";
  for (int k = 0; k < 4; ++k)
    body += ".reg ." + bits_type(row.widths[k]) + " %" + "dabc"[k] + ";\n";
  for (int k = 0; k < 3; ++k)
    body += "ld.global.u64 %rd" + std::to_string(5 + k) + ", [%rd0+" + std::to_string(8 * k) +
            "];\n" +
            narrow(std::string("%") + "abc"[k], row.widths[k + 1], "%rd" + std::to_string(5 + k));
  body += "setp.ne.u64 %p, %rd5, 0;\n" + std::string(row.statement) + ";\n" +
          widen("%rd10", "%d", row.widths[0]) + "st.global.u64 [%rd1], %rd10;";
  Memory memory;
  const Program program = read_program(row.statement, module_of(body), memory);
  Array<u64> in(memory, "in", {row.a, row.b, row.c}), out(memory, "out", 1);
  Options options;
  options.ulps = ulps;
  run(program, memory, {"k", {}, {1, 1, 1}, 0, {in, out, u64{0}}}, options);
  return out.get()[0];
}

}  // namespace ptx
