#include "tests/lcsm/cuda/modes/modes_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "tests/lcsm/cuda/driver/expect_judged.h"

namespace lcsm::test {
namespace {

using std::size_t;
using Complex = std::complex<double>;

size_t size(int n) { return static_cast<size_t>(n); }
int directions_of(const ModesShape& s) { return s.ways == Ways::kBoth ? 2 : 1; }
bool is_back(const ModesShape& s, int direction) { return s.ways == Ways::kBack || direction == 1; }
bool is_late(const ModesShape& s, int direction) {
  return s.late && direction == directions_of(s) - 1;
}
std::string named(const char* name, int direction) {
  return std::string(name) + " " + std::to_string(direction);
}

// Real numbers as they are, complex ones as pairs.
Complex number(const ModesShape& s, const Numbers& all, size_t n) {
  return s.is_complex ? Complex(all[2 * n], all[2 * n + 1]) : all[n];
}
void add(const ModesShape& s, Numbers* all, size_t n, Complex value) {
  if (!s.is_complex) {
    (*all)[n] += value.real();
  } else {
    (*all)[2 * n] += value.real();
    (*all)[2 * n + 1] += value.imag();
  }
}

// One mode of one channel of one sequence.
struct Line {
  const ModesShape& s;
  const Named& in;
  Named& out;
  const int direction;
  const size_t b, n, d;

  size_t step(size_t t) const {
    const size_t T = size(s.T);
    return (b * T + (is_back(s, direction) ? T - 1 - t : t)) * size(s.D) + d;
  }
  void add_all() const {
    const size_t T = size(s.T), mode = n * size(s.D) + d, state = b * size(s.N * s.D) + mode;
    const Numbers &x = in.at("x"), &d_y = in.at("d_y");
    const Numbers* const padding = in.count("padding") ? &in.at("padding") : nullptr;
    Numbers &y = out["y"], &d_x = out["d x"];
    const Complex q = number(s, in.at(named("q", direction)), mode),
                  c = number(s, in.at(named("c", direction)), mode);
    const bool late = is_late(s, direction);
    std::vector<Complex> u(T + 1);
    if (s.first) u[0] = number(s, in.at(named("u", direction)), state);
    for (size_t t = 0; t < T; ++t) {
      const bool padded = padding && (*padding)[step(t) / size(s.D)] != 0;
      u[t + 1] = q * u[t] + (padded ? 0 : x[step(t)]);
      y[step(t)] += (c * u[late ? t : t + 1]).real();
    }
    add(s, &out[named("last", direction)], state, u[T]);
    Complex l, d_q, d_c;  // l: the gradient of u, conjugate
    if (s.first) l = std::conj(number(s, in.at(named("d_u", direction)), state));
    for (size_t t = T; t-- > 0;) {
      d_c += d_y[step(t)] * u[late ? t : t + 1];
      if (!late) l += c * d_y[step(t)];
      d_x[step(t)] += l.real();
      d_q += l * u[t];
      l *= q;
      if (late) l += c * d_y[step(t)];
    }
    add(s, &out[named("d q", direction)], mode, std::conj(d_q));
    add(s, &out[named("d c", direction)], mode, std::conj(d_c));
    add(s, &out[named("d u", direction)], state, std::conj(l));
  }
};

double tolerance_of(const ModesShape& shape) { return shape.bfloat16 ? 2e-2 : 1e-5; }

}  // namespace

std::string name_of(const ModesShape& s) {
  constexpr const char* kWays[] = {"forward", "back", "both"};
  return std::string(kWays[static_cast<int>(s.ways)]) + (s.late ? " late" : "") +
         ", T = " + std::to_string(s.T) + ", D = " + std::to_string(s.D) + ", " +
         std::to_string(s.N) + (s.is_complex ? " complex" : " real") +
         (s.processors > 1 ? ", split" : "") + (s.bfloat16 ? ", bfloat16" : ", float32");
}

std::string kernels_of(const ModesShape& s) {
  ModesWork work;
  work.is_complex = s.is_complex;
  work.modes.T = s.T;
  work.modes.count = directions_of(s);
  for (ModesDirectionCuda& of : work.modes.directions) of.N = s.N;
  return modes_by_products(work) ? "products" : "modes";
}

Named random_modes(const ModesShape& s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto some = [&](size_t count, bool data) {
    Numbers all(count);
    for (double& x : all) {
      const float drawn = normal(random);
      x = static_cast<double>(rounded(drawn, data && s.bfloat16));
    }
    return all;
  };
  std::exponential_distribution<double> decay(1 / s.decay);
  std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi);
  const size_t parts = s.is_complex ? 2 : 1, modes = size(s.N * s.D), data = size(s.B * s.T * s.D);
  Named in{{"x", some(data, true)}, {"d_y", some(data, true)}};
  if (s.shortcut) in["shortcut"] = some(size(s.D), false);
  if (s.padding) {
    in["padding"] = Numbers(size(s.B * s.T));
    for (double& x : in["padding"]) x = random() % 3 == 0;
  }
  for (int g = 0; g < directions_of(s); ++g) {
    Numbers& q = in[named("q", g)];
    for (size_t n = 0; n < modes; ++n) {
      const Complex mode = std::polar(std::exp(-decay(random)), s.is_complex ? angle(random) : 0);
      q.push_back(mode.real());
      if (s.is_complex) q.push_back(mode.imag());
    }
    in[named("c", g)] = some(parts * modes, false);
    for (const char* name : {"u", "d_u"})
      if (s.first) in[named(name, g)] = some(size(s.B) * parts * modes, false);
  }
  return in;
}

Named by_definition(const ModesShape& s, const Named& in) {
  const size_t parts = s.is_complex ? 2 : 1, modes = parts * size(s.N * s.D),
               data = in.at("x").size();
  Named out{{"y", Numbers(data)}, {"d x", Numbers(data)}};
  for (int g = 0; g < directions_of(s); ++g) {
    for (const char* name : {"d q", "d c"}) out[named(name, g)] = Numbers(modes);
    for (const char* name : {"last", "d u"}) out[named(name, g)] = Numbers(size(s.B) * modes);
    for (size_t b = 0; b < size(s.B); ++b)
      for (size_t n = 0; n < size(s.N); ++n)
        for (size_t d = 0; d < size(s.D); ++d) Line{s, in, out, g, b, n, d}.add_all();
  }
  if (s.shortcut) out["d shortcut"] = Numbers(size(s.D));
  for (size_t n = 0; n < data; ++n) {
    const bool padded = s.padding && in.at("padding")[n / size(s.D)] != 0;
    if (s.shortcut) {
      const double w = in.at("shortcut")[n % size(s.D)], x = padded ? 0 : in.at("x")[n];
      out["y"][n] += w * x;
      out["d x"][n] += w * in.at("d_y")[n];
      out["d shortcut"][n % size(s.D)] += x * in.at("d_y")[n];
    }
    if (padded) out["d x"][n] = 0;
  }
  return out;
}

namespace {

// The device's side of a case.
class ModesDevice {
 public:
  ModesDevice(const ModesShape& shape, const Named& in, JudgedDevice& device)
      : s_(shape), in_(in), device_(device) {
    work_.bfloat16 = s_.bfloat16;
    work_.is_complex = s_.is_complex;
    work_.processors = s_.processors;
    ModesCuda& m = work_.modes;
    m.B = s_.B, m.T = s_.T, m.D = s_.D;
    m.count = directions_of(s_);
    m.x = put("x", data());
    if (s_.shortcut) m.shortcut = static_cast<const float*>(put("shortcut", As::kFloat32));
    if (s_.padding) m.padding = static_cast<const unsigned char*>(put("padding", As::kByte));
    for (int g = 0; g < m.count; ++g) {
      ModesDirectionCuda& of = m.directions[g];
      of.N = s_.N;
      of.back = is_back(s_, g);
      of.late = is_late(s_, g);
      of.q = static_cast<const double*>(put(named("q", g), As::kFloat64));
      of.c = static_cast<const double*>(put(named("c", g), As::kFloat64));
      of.before =
          static_cast<float*>(device_.allocate(named("before", g), 4 * modes_kept_count(work_, g)));
    }
  }

  void forward() {
    enter_and_leave("u", "last");
    work_.modes.y = device_.result("y", in_.at("x").size(), data());
    device_.run(modes_forward_calls(work_, allocate_));
  }
  void backward() {
    enter_and_leave("d_u", "d u");
    for (int g = 0; g < work_.modes.count; ++g) {
      work_.d_q[size(g)] = doubles(named("d q", g), modes());
      work_.d_c[size(g)] = doubles(named("d c", g), modes());
    }
    work_.modes.d_y = put("d_y", data());
    work_.modes.d_x = device_.result("d x", in_.at("x").size(), data());
    if (s_.shortcut)
      work_.d_shortcut =
          static_cast<float*>(device_.result("d shortcut", size(s_.D), As::kFloat32));
    device_.run(modes_backward_calls(work_, allocate_));
  }

 private:
  using As = JudgedDevice::As;

  As data() const { return s_.bfloat16 ? As::kBfloat16 : As::kFloat32; }
  size_t modes() const { return size(s_.N * s_.D) * (s_.is_complex ? 2 : 1); }
  void* put(const std::string& name, As as) { return device_.put(name, in_.at(name), as); }
  double* doubles(const std::string& name, size_t count) {
    return static_cast<double*>(device_.result(name, count, As::kFloat64));
  }
  void enter_and_leave(const char* first, const char* last) {
    for (int g = 0; g < work_.modes.count; ++g) {
      ModesDirectionCuda& of = work_.modes.directions[g];
      if (s_.first) of.first = static_cast<const double*>(put(named(first, g), As::kFloat64));
      of.last = doubles(named(last, g), size(s_.B) * modes());
    }
  }

  const ModesShape s_;
  const Named& in_;
  JudgedDevice& device_;
  const Allocate allocate_ = [this](const char* what, size_t n) {
    return device_.allocate(what, n);
  };
  ModesWork work_;
};

}  // namespace

Judged by_judge(const ModesShape& shape, const Named& inputs, const Kernels& kernels, int orders,
                const ptx::Options& options) {
  JudgedDevice device(kernels, orders, options);
  ModesDevice modes(shape, inputs, device);
  modes.forward();
  modes.backward();
  return device.judged();
}

Judged expect_right(const ModesShape& shape, int orders, const ptx::Options& options) {
  const Named inputs = random_modes(shape, 5);
  Judged got = by_judge(shape, inputs, *built_kernels(kernels_of(shape)), orders, options);
  expect_right(got, by_definition(shape, inputs), tolerance_of(shape), name_of(shape));
  return got;
}

Trial trial_of(const std::string& kernels, std::vector<ModesShape> shapes, std::uint64_t limit) {
  const std::string kind = shapes[0].is_complex ? "complex" : "real",
                    type = shapes[0].bfloat16 ? "bfloat16" : "float32";
  return {
      "LCSM_" + kernels + "_" + kind + "_" + type + "()\nLCSM_MODES_" + kind + "()\n",
      [shapes, limit](const Kernels& built) {
        for (const ModesShape& shape : shapes) {
          const Named inputs = random_modes(shape, 5);
          const Judged got = by_judge(shape, inputs, built, 2, {.limit = limit});
          if (std::string fault = fault_of(got, by_definition(shape, inputs), tolerance_of(shape));
              !fault.empty())
            return fault;
        }
        return std::string();
      }};
}

}  // namespace lcsm::test
