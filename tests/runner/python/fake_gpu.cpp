#include "tests/runner/python/fake_gpu.h"

#include "tests/lcsm/layer/fake_tensors.h"

namespace {

struct Fake {
  lcsm::test::FakeGpu device;
  lcsm::test::FakeTensors tensors{&device};
  lcsm::GpuOrCpu gpu = device.gpu();
};

// Never destroyed: tensors of Python outlive it.
Fake& fake() {
  static Fake& one = *new Fake;
  return one;
}

}  // namespace

lcsm::GpuOrCpu fake_gpu() { return fake().gpu; }

void lcsm_fake_start() { fake(); }
int lcsm_fake_launches() { return fake().device.launches(); }
const char* lcsm_fake_findings() {
  static std::string findings;
  return (findings = fake().device.findings()).c_str();
}
