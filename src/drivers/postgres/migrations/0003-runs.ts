/** The runs of swarms: their working states, the changes of these, and what their participants said. */
export const runs = `
CREATE TABLE states (
  run TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  -- JSON, kept as the text that it is, as in all these tables.
  document TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX states_by_lease ON states (lease_until);

CREATE TABLE state_changes (
  run TEXT NOT NULL,
  version INTEGER NOT NULL,
  at BIGINT NOT NULL,
  author TEXT NOT NULL,
  op TEXT NOT NULL,
  path TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (run, version)
);

CREATE TABLE runs (
  id TEXT COLLATE "C" PRIMARY KEY,
  swarm TEXT NOT NULL,
  type TEXT NOT NULL,
  task TEXT NOT NULL,
  status TEXT NOT NULL,
  participants TEXT NOT NULL,
  usage TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  lease_until BIGINT NOT NULL,
  reason TEXT,
  result TEXT
);
CREATE INDEX runs_by_start ON runs (started_at, id);
CREATE INDEX runs_alive ON runs (lease_until) WHERE status = 'running';

CREATE TABLE run_messages (
  seq BIGINT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run TEXT NOT NULL,
  agent TEXT NOT NULL,
  role TEXT NOT NULL,
  at BIGINT NOT NULL,
  -- It goes with the run.
  passing BOOLEAN NOT NULL,
  -- NULL when the log has the message under the same id; what is deleted there is then gone here too.
  content TEXT
);
CREATE INDEX run_messages_by_run ON run_messages (run, seq);
`;
