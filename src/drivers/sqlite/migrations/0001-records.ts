/** Records, their history, the text index over them, and the agents who own them. */
export const records = `
CREATE TABLE agents (
  name TEXT PRIMARY KEY,
  folded TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  -- How many records with counted = 1 the agent has, so that the cap costs nothing until it is reached.
  facts INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL REFERENCES agents(name),
  scope TEXT NOT NULL CHECK (scope IN ('agent', 'swarm')),
  source TEXT NOT NULL,
  category TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  content TEXT NOT NULL,
  tags TEXT NOT NULL,
  metadata TEXT NOT NULL,
  origin TEXT NOT NULL,
  pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  expiry_reason TEXT,
  forgotten_at INTEGER,
  version INTEGER NOT NULL,
  change TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  access_count INTEGER NOT NULL DEFAULT 0,
  accessed_at INTEGER,
  injected_count INTEGER NOT NULL DEFAULT 0,
  -- 1 while the record takes up one of the places that memory.maxEntries allows.
  counted INTEGER NOT NULL CHECK (counted IN (0, 1)),
  -- Hash of owner, scope, category and text; random once forgotten, so that it betrays nothing.
  digest BLOB NOT NULL
) STRICT;

CREATE INDEX records_by_agent ON records (agent);
CREATE INDEX records_shared ON records (rid) WHERE scope = 'swarm';
CREATE INDEX records_by_digest ON records (digest);
-- In the order of pruning: extracted before manual, then lowest confidence, then least recently updated.
CREATE INDEX records_prunable ON records (agent, source, confidence, updated_at) WHERE counted = 1 AND pinned = 0;

-- Facts that expire by themselves, so that they can be let go of before the cap prunes a living one.
CREATE INDEX records_expiring ON records (agent, expires_at) WHERE counted = 1 AND expires_at IS NOT NULL;

-- Idempotency keys, as hashes. A table of their own, because an add that finds its text there already names a key too.
CREATE TABLE record_keys (
  agent TEXT NOT NULL,
  key BLOB NOT NULL,
  rid INTEGER NOT NULL REFERENCES records(rid),
  -- Of the record as the first add described it; random once forgotten, so that it betrays nothing.
  digest BLOB NOT NULL,
  PRIMARY KEY (agent, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_keys_by_record ON record_keys (rid);

CREATE TABLE record_versions (
  rid INTEGER NOT NULL REFERENCES records(rid),
  version INTEGER NOT NULL,
  change TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  PRIMARY KEY (rid, version)
) STRICT, WITHOUT ROWID;

-- Terms come from kernel/analysis.ts already folded and stemmed, and every character but a blank belongs to one; silo
-- holds the token of the owner, and that of the swarm when shared.
CREATE VIRTUAL TABLE records_text USING fts5 (
  body, labels, silo, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
INSERT INTO records_text (records_text, rank) VALUES ('secure-delete', 1);
INSERT INTO records_text (records_text, rank) VALUES ('rank', 'bm25(1.0, 0.6, 0.0)');
CREATE VIRTUAL TABLE records_terms USING fts5vocab (records_text, 'row');

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('analysis_version', '1');
`;
