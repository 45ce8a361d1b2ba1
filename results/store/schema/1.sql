-- results.db, version 1. What each table and view is for: results/README.md.
-- `run` stands for a run's first 15 hex digits as a number: short, and the same in every database.

CREATE TABLE runs (
  run       INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,
  identity  TEXT NOT NULL,          -- the canonical text that id is the hash of
  status    TEXT NOT NULL,          -- of the last attempt; 'running' while that has not ended
  attempts  INTEGER NOT NULL,
  steps     INTEGER NOT NULL,       -- done so far
  message   TEXT NOT NULL           -- of the last attempt's end
) STRICT;

CREATE TABLE parameters (
  run    INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  key    TEXT NOT NULL,
  value  ANY NOT NULL,              -- false and true are 0 and 1, a list is its JSON text
  type   TEXT NOT NULL CHECK (type IN ('boolean', 'integer', 'real', 'text', 'list')),
  PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX parameters_by_key ON parameters (key, value);

CREATE TABLE attempts (
  run        INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  attempt    INTEGER NOT NULL,
  from_step  INTEGER NOT NULL,
  from_seq   INTEGER NOT NULL,
  kept_to    INTEGER,               -- the last line of it that counts; NULL: all do
  started    REAL NOT NULL,         -- seconds since 1970
  ended      REAL,
  status     TEXT NOT NULL,
  steps      INTEGER,               -- done at its end
  message    TEXT NOT NULL,
  PRIMARY KEY (run, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE environments (
  run      INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  name     TEXT NOT NULL,
  value    ANY NOT NULL,
  type     TEXT NOT NULL CHECK (type IN ('boolean', 'integer', 'real', 'text', 'list')),
  PRIMARY KEY (run, attempt, name),
  FOREIGN KEY (run, attempt) REFERENCES attempts ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE metrics (
  run      INTEGER NOT NULL,
  metric   TEXT NOT NULL,
  seq      INTEGER NOT NULL,        -- the line of the event file
  attempt  INTEGER NOT NULL,
  step     INTEGER NOT NULL,
  value    REAL,                    -- NULL: not a number
  PRIMARY KEY (run, metric, seq),
  FOREIGN KEY (run, attempt) REFERENCES attempts ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Each metric of each run, summarised over the rows that count.
CREATE TABLE summaries (
  run           INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  metric        TEXT NOT NULL,
  rows          INTEGER NOT NULL,
  last          REAL,
  last_step     INTEGER NOT NULL,
  lowest        REAL,
  lowest_step   INTEGER,
  highest       REAL,
  highest_step  INTEGER,
  PRIMARY KEY (run, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE artefacts (
  run      INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  path     TEXT NOT NULL,           -- below the run folder
  step     INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,
  sha256   TEXT NOT NULL,
  PRIMARY KEY (run, seq),
  FOREIGN KEY (run, attempt) REFERENCES attempts ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  run      INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  time     REAL NOT NULL,
  level    TEXT NOT NULL,
  text     TEXT NOT NULL,
  PRIMARY KEY (run, seq),
  FOREIGN KEY (run, attempt) REFERENCES attempts ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sweeps (
  sweep  TEXT NOT NULL PRIMARY KEY,
  title  TEXT NOT NULL,
  paper  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE points (
  sweep  TEXT NOT NULL,
  run    INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  title  TEXT NOT NULL,             -- as this run's mark has them
  paper  TEXT NOT NULL,
  PRIMARY KEY (sweep, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX points_by_run ON points (run);

-- Run folders that are invalid; no other table has rows about them.
CREATE TABLE refused (
  id      TEXT NOT NULL PRIMARY KEY,
  reason  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How far each event file was read. The only table that differs between copies of a workspace.
CREATE TABLE files (
  id            TEXT NOT NULL PRIMARY KEY,
  bytes         INTEGER NOT NULL,   -- of whole lines
  lines         INTEGER NOT NULL,
  attempt       INTEGER NOT NULL,
  ended         INTEGER NOT NULL,
  crc           INTEGER NOT NULL,
  size          INTEGER NOT NULL,   -- as the file system had it
  changed       INTEGER NOT NULL,   -- nanoseconds since 1970
  marks         INTEGER NOT NULL    -- when the folder of marks was changed; 0: there is none
) STRICT, WITHOUT ROWID;

-- ----- Views: everything by the run's id -----

CREATE VIEW settings AS
  SELECT id, key, value, type FROM parameters JOIN runs USING (run);

CREATE VIEW history AS
  SELECT id, metric, step, value, attempt, seq
  FROM metrics JOIN attempts USING (run, attempt) JOIN runs USING (run)
  WHERE kept_to IS NULL OR seq <= kept_to;

CREATE VIEW members AS
  SELECT sweep, id FROM points JOIN runs USING (run);

CREATE VIEW overview AS
  SELECT id, status, steps, attempts,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'task.name') AS task,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.family') AS family,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.code') AS code,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'optim.lr') AS lr,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'seed') AS seed,
    (SELECT sum(ended - started) FROM attempts a WHERE a.run = r.run) AS seconds,
    message
  FROM runs r;

CREATE VIEW outcomes AS
  SELECT o.id, o.status, o.task, o.family, o.code, o.lr, o.seed, s.metric,
    s.last, s.last_step, s.lowest, s.lowest_step, s.highest, s.highest_step
  FROM overview o JOIN runs USING (id) JOIN summaries s USING (run);
