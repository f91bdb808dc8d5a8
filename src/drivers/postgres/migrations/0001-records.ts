/** Records, their history, the words and vectors by which they are found, and the agents who own them. */
export const records = `
-- Who writes holds the row of his lane: so numbers have no gaps, and nobody ever sees a smaller one later.
CREATE TABLE lanes (name TEXT PRIMARY KEY, counters TEXT NOT NULL);
INSERT INTO lanes VALUES ('memory', '{}'), ('runs', '{}');

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE agents (
  name TEXT COLLATE "C" PRIMARY KEY,
  folded TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  -- How many records with counted the agent has, so that the cap costs nothing until it is reached.
  facts INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE records (
  rid BIGINT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL REFERENCES agents (name),
  scope TEXT NOT NULL CHECK (scope IN ('agent', 'swarm')),
  source TEXT COLLATE "C" NOT NULL,
  category TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  content TEXT NOT NULL,
  tags TEXT[] NOT NULL,
  -- JSON, kept as the text that it is.
  metadata TEXT NOT NULL,
  origin TEXT NOT NULL,
  pinned BOOLEAN NOT NULL,
  thread TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- NULL: since it was stored.
  valid_from BIGINT,
  expires_at BIGINT,
  expiry_reason TEXT,
  supersedes TEXT,
  superseded_by TEXT,
  forgotten_at BIGINT,
  version INTEGER NOT NULL,
  change TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  access_count INTEGER NOT NULL DEFAULT 0,
  accessed_at BIGINT,
  injected_count INTEGER NOT NULL DEFAULT 0,
  -- Whether the record takes up one of the places that memory.maxEntries allows.
  counted BOOLEAN NOT NULL,
  -- Hash of owner, scope, category and text; random once forgotten, so that it betrays nothing.
  digest BYTEA NOT NULL
) WITH (fillfactor = 90);

CREATE INDEX records_by_agent ON records (agent, rid);
CREATE INDEX records_shared ON records (rid) WHERE scope = 'swarm';
CREATE INDEX records_by_digest ON records (digest);
-- A thread may be the path of a document, which is longer than an entry of an index may be.
CREATE INDEX records_by_thread ON records (agent, md5(thread), rid) WHERE thread IS NOT NULL;
CREATE INDEX records_changed ON records (updated_at) WHERE version > 1;
-- In the order of pruning: extracted before manual, then lowest confidence, then least recently updated.
CREATE INDEX records_prunable ON records (agent, source, confidence, updated_at, rid) WHERE counted AND NOT pinned;
CREATE INDEX records_expiring ON records (agent, expires_at) WHERE counted AND expires_at IS NOT NULL;

-- Idempotency keys, as hashes.
CREATE TABLE record_keys (
  agent TEXT NOT NULL,
  key BYTEA NOT NULL,
  rid BIGINT NOT NULL REFERENCES records (rid),
  -- Of the record as the first add described it; random once forgotten.
  digest BYTEA NOT NULL,
  PRIMARY KEY (agent, key)
);
CREATE INDEX record_keys_by_record ON record_keys (rid);

CREATE TABLE record_versions (
  rid BIGINT NOT NULL REFERENCES records (rid),
  version INTEGER NOT NULL,
  change TEXT NOT NULL,
  changed_at BIGINT NOT NULL,
  changed_by TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  PRIMARY KEY (rid, version)
);

-- The words of a record as kernel/analysis.ts makes them, each once, and how often each counts.
CREATE TABLE record_words (
  rid BIGINT PRIMARY KEY REFERENCES records (rid),
  agent TEXT NOT NULL,
  shared BOOLEAN NOT NULL,
  words TEXT[] NOT NULL,
  frequencies DOUBLE PRECISION[] NOT NULL,
  length INTEGER NOT NULL
);
CREATE INDEX record_words_by_word ON record_words USING gin (words) WITH (gin_pending_list_limit = 512);
CREATE INDEX record_words_by_agent ON record_words (agent);

-- How many records hold each word.
CREATE TABLE record_terms (term TEXT COLLATE "C" PRIMARY KEY, holders INTEGER NOT NULL) WITH (fillfactor = 80);

CREATE TABLE embedding_models (
  key INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
);

-- A record has either a row here or one in embedding_queue, unless it was forgotten.
CREATE TABLE record_vectors (
  rid BIGINT PRIMARY KEY REFERENCES records (rid),
  model INTEGER NOT NULL REFERENCES embedding_models (key),
  -- Of the record whose text was embedded.
  version INTEGER NOT NULL,
  -- The owner while private, empty once shared: a search reads only what its viewer may see.
  silo TEXT NOT NULL,
  -- Of length 1 (or all zero).
  vector VECTOR NOT NULL
) WITH (toast_tuple_target = 8160);
CREATE INDEX record_vectors_by_silo ON record_vectors (model, silo);

CREATE TABLE embedding_queue (rid BIGINT PRIMARY KEY REFERENCES records (rid));
`;
