// The papers' numbers as rows of results.db, for queries that compare ours with them.
#pragma once

#include "results/store/database.h"

namespace results {

// Replaces the numbers stored by another version of this program; does nothing if they are equal.
void store_published(Database& database);

}  // namespace results
