/** Items: JSON values under exact names, and the texts by which they are found. */
export const items = `
CREATE TABLE items (
  -- The order of adding; a number is never used again.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL,
  -- Empty: of the agent itself.
  user_id TEXT NOT NULL,
  -- Labels, encoded, each with a slash behind it.
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX items_by_key ON items (agent, user_id, namespace, key);
CREATE INDEX items_in_order ON items (agent, user_id, namespace, seq);
CREATE INDEX items_by_user ON items (user_id) WHERE user_id <> '';

CREATE TABLE item_texts (
  seq INTEGER NOT NULL,
  part INTEGER NOT NULL,
  content TEXT NOT NULL,
  words TEXT NOT NULL,
  -- NULL, both of them, while the text waits for its vector.
  model TEXT,
  vector BLOB,
  PRIMARY KEY (seq, part)
) STRICT, WITHOUT ROWID;
`;
