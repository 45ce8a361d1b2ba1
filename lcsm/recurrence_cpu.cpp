#include "lcsm/recurrence.h"

namespace lcsm {

RecurrenceResult recurrence_cpu(const Variant& variant, const RecurrenceInputs& inputs) {
  return recurrence_reference(variant, inputs);
}

}  // namespace lcsm
