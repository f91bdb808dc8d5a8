/** The append-only log of messages, the text index over it, and the notes that keep MEMORY.md in step with it. */
export const log = `
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  thread TEXT NOT NULL,
  run TEXT,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  metadata TEXT NOT NULL,
  at INTEGER NOT NULL,
  edited_at INTEGER,
  -- The row of a deleted message stays, so that the log has no holes; its content does not.
  deleted_at INTEGER
) STRICT;
CREATE INDEX messages_by_thread ON messages (agent, thread, seq);
CREATE INDEX messages_by_run ON messages (run, seq) WHERE run IS NOT NULL;

CREATE VIRTUAL TABLE messages_text USING fts5 (
  body, silo, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
INSERT INTO messages_text (messages_text, rank) VALUES ('rank', 'bm25(1.0, 0.0)');

-- What was compacted away stays in the log and leaves the view: the view of a thread begins after its boundary.
CREATE TABLE threads (
  agent TEXT NOT NULL,
  thread TEXT NOT NULL,
  boundary INTEGER NOT NULL,
  PRIMARY KEY (agent, thread)
) STRICT, WITHOUT ROWID;

-- The last change that was begun on a file, so that a crash in the middle of it can be told from an edit by hand.
CREATE TABLE journals (key TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
