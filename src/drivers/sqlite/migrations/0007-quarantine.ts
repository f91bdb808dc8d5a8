/** Writes that the guard refused, until a person releases or deletes them. */
export const quarantine = `
CREATE TABLE quarantine (
  qid INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- Of the write itself, so that trying again does not fill the table.
  digest BLOB NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  times INTEGER NOT NULL,
  via TEXT NOT NULL,
  session TEXT,
  verb TEXT NOT NULL,
  category TEXT NOT NULL,
  origin TEXT NOT NULL,
  -- JSON, as is the input. Input and content are NULL once the write was released.
  reasons TEXT NOT NULL,
  input TEXT,
  content TEXT,
  released_at INTEGER,
  released_by TEXT,
  released_as TEXT
) STRICT;
CREATE INDEX quarantine_by_agent ON quarantine (agent, qid);
`;
