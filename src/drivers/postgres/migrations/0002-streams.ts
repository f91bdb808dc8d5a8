/** What only grows: events, the log of messages with the words in it, and the notes that keep files in step with it. */
export const streams = `
CREATE TABLE events (
  seq BIGINT PRIMARY KEY,
  type TEXT NOT NULL,
  agent TEXT,
  -- The record that it is about, and the free text about that record, which goes when the record is forgotten.
  subject TEXT,
  category TEXT,
  event TEXT NOT NULL
);
CREATE INDEX events_by_subject ON events (subject) WHERE subject IS NOT NULL;

CREATE TABLE messages (
  seq BIGINT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  thread TEXT NOT NULL,
  run TEXT,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  metadata TEXT NOT NULL,
  at BIGINT NOT NULL,
  edited_at BIGINT,
  -- The row of a deleted message stays, so that the log has no holes; its content does not.
  deleted_at BIGINT
);
CREATE INDEX messages_by_thread ON messages (agent, md5(thread), seq);
CREATE INDEX messages_by_run ON messages (run, seq) WHERE run IS NOT NULL;

CREATE TABLE message_words (
  seq BIGINT PRIMARY KEY REFERENCES messages (seq) ON DELETE CASCADE,
  agent TEXT NOT NULL,
  words TEXT[] NOT NULL,
  frequencies DOUBLE PRECISION[] NOT NULL,
  length INTEGER NOT NULL
);
CREATE INDEX message_words_by_word ON message_words USING gin (words) WITH (gin_pending_list_limit = 512);
CREATE INDEX message_words_by_agent ON message_words (agent);
CREATE TABLE message_terms (term TEXT COLLATE "C" PRIMARY KEY, holders INTEGER NOT NULL) WITH (fillfactor = 80);

-- What was compacted away stays in the log and leaves the view: the view of a thread begins after its boundary.
CREATE TABLE threads (
  agent TEXT NOT NULL,
  -- A hash of its name.
  thread BYTEA NOT NULL,
  boundary BIGINT NOT NULL,
  PRIMARY KEY (agent, thread)
);

-- The last change that was begun on a file; the key is a hash of its name.
CREATE TABLE journals (key BYTEA PRIMARY KEY, entry TEXT NOT NULL);

CREATE TABLE quarantine (
  qid BIGINT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- Of the write itself, so that trying again does not fill the table.
  digest BYTEA NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  times INTEGER NOT NULL,
  via TEXT NOT NULL,
  session TEXT,
  verb TEXT NOT NULL,
  category TEXT NOT NULL,
  origin TEXT NOT NULL,
  reasons TEXT[] NOT NULL,
  -- JSON. Input and content are NULL once the write was released.
  input TEXT,
  content TEXT,
  released_at BIGINT,
  released_by TEXT,
  released_as TEXT
);
CREATE INDEX quarantine_by_agent ON quarantine (agent, qid);
`;
