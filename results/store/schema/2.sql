-- results.db, version 2: the papers' numbers beside ours.

CREATE TABLE published (
  number    INTEGER PRIMARY KEY,    -- the order of the papers' tables
  name      TEXT NOT NULL,          -- 'lcsm/table4-o-types', what a sweep calls its paper
  row       TEXT NOT NULL,          -- a code, a system
  task      TEXT NOT NULL,
  metric    TEXT NOT NULL,          -- as in runs: 'valid.ppl'
  value     REAL NOT NULL,          -- as printed
  params_m  TEXT NOT NULL,          -- millions of parameters as printed, may be empty
  note      TEXT NOT NULL,
  read_in   TEXT NOT NULL
) STRICT;

-- Which data the program that wrote last brought along, so that a newer one can replace them.
CREATE TABLE brought (
  what  TEXT NOT NULL PRIMARY KEY,
  crc   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
