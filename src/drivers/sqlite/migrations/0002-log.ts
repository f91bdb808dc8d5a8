/** The append-only log of messages. */
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
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_thread ON messages (agent, thread, seq);
CREATE INDEX messages_by_run ON messages (run, seq) WHERE run IS NOT NULL;
`;
