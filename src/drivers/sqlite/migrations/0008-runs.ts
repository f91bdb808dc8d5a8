/** The runs of swarms, what their participants said, and the changes of their working states. */
export const runs = `
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  swarm TEXT NOT NULL,
  type TEXT NOT NULL,
  task TEXT NOT NULL,
  status TEXT NOT NULL,
  -- JSON, as is the usage.
  participants TEXT NOT NULL,
  usage TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  lease_until INTEGER NOT NULL,
  reason TEXT,
  result TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_start ON runs (started_at, id);
CREATE INDEX runs_alive ON runs (lease_until) WHERE status = 'running';

CREATE TABLE run_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  run TEXT NOT NULL,
  agent TEXT NOT NULL,
  role TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- 1 when it goes with the run.
  passing INTEGER NOT NULL,
  -- NULL when the log has the message under the same id; what is deleted there is then gone here too.
  content TEXT
) STRICT;
CREATE INDEX run_messages_by_run ON run_messages (run, seq);

CREATE TABLE state_changes (
  run TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  op TEXT NOT NULL,
  path TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (run, version)
) STRICT, WITHOUT ROWID;
`;
