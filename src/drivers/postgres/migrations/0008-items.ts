/** Items: JSON values under exact names, and the texts by which they are found. */
export const items = `
CREATE TABLE items (
  -- The order of adding; a number is never used again.
  seq BIGINT PRIMARY KEY,
  -- Hash of owner, namespace and key, which together are longer than an entry of an index may be.
  address BYTEA NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  -- Empty: of the agent itself.
  user_id TEXT NOT NULL,
  -- Labels, encoded, each with a slash behind it.
  namespace TEXT COLLATE "C" NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX items_in_order ON items (agent, md5(user_id), namespace, seq);
CREATE INDEX items_by_user ON items (md5(user_id)) WHERE user_id <> '';

CREATE TABLE item_texts (
  seq BIGINT NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  content TEXT NOT NULL,
  words TEXT NOT NULL,
  -- NULL, both of them, while the text waits for its vector.
  model TEXT,
  vector BYTEA,
  PRIMARY KEY (seq, part)
);
`;
