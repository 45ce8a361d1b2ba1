// The papers' numbers as rows of results.db, so that a query can set ours beside them.
#pragma once

#include "results/store/database.h"

namespace results {

// Puts this program's numbers in place of those of another version; does nothing when they are the
// same.
void store_published(Database& database);

}  // namespace results
