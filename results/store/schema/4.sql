-- results.db, version 4: tags, notes and evaluations; a run that was killed is interrupted.

ALTER TABLE runs ADD COLUMN writing INTEGER NOT NULL DEFAULT 0;  -- whether a process was, at the last fold
ALTER TABLE runs ADD COLUMN state TEXT NOT NULL
  GENERATED ALWAYS AS (iif(status = 'running' AND NOT writing, 'interrupted', status)) VIRTUAL;

CREATE TABLE tags (
  run  INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  tag  TEXT NOT NULL,
  PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_name ON tags (tag);

CREATE TABLE notes (
  run   INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  name  TEXT NOT NULL,              -- begins with the time
  text  TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

-- Of checkpoints after the training, on other data.
CREATE TABLE evaluations (
  run       INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  metric    TEXT NOT NULL,
  settings  TEXT NOT NULL,          -- 'task.length=512', separated by blanks
  step      INTEGER NOT NULL,       -- of the checkpoint
  value     REAL,                   -- NULL: not a number
  time      REAL NOT NULL,          -- seconds since 1970
  PRIMARY KEY (run, metric, settings, step)
) STRICT, WITHOUT ROWID;

CREATE VIEW evaluated AS
  SELECT id, metric, settings, step, value, time FROM evaluations JOIN runs USING (run);

UPDATE files SET marks = 0;         -- read them again

DROP VIEW overview;
CREATE VIEW overview AS
  SELECT id, state AS status, steps, attempts,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'task.name') AS task,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.family') AS family,
    coalesce((SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.code'),
      (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.family')) AS code,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'optim.lr') AS lr,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'seed') AS seed,
    (SELECT sum(ended - started) FROM attempts a WHERE a.run = r.run) AS seconds,
    message,
    (SELECT group_concat(tag, ', ') FROM (SELECT tag FROM tags t WHERE t.run = r.run ORDER BY tag))
      AS tags,
    (SELECT group_concat(text, char(10)) FROM (SELECT text FROM notes n WHERE n.run = r.run
      ORDER BY name)) AS note
  FROM runs r;
