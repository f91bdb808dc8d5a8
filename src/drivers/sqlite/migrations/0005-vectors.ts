/** Vectors of records, the records that wait for one, and compressed copies that make loading quick. */
export const vectors = `
CREATE TABLE embedding_models (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;

-- A record has either a row here or one in embedding_queue, unless it was forgotten. Rows never change: a new vector is a
-- new row with a higher number, which is how other processes notice it.
CREATE TABLE record_vectors (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  rid INTEGER NOT NULL UNIQUE REFERENCES records(rid),
  model INTEGER NOT NULL REFERENCES embedding_models(key),
  -- Of the record whose text was embedded.
  version INTEGER NOT NULL,
  -- The owner while private, empty once shared: a search reads only what its viewer may see.
  silo TEXT NOT NULL,
  -- Numbers of 32 bits, little-endian, of length 1 (or all zero).
  vector BLOB NOT NULL
) STRICT;
CREATE INDEX record_vectors_by_silo ON record_vectors (model, silo, seq);

CREATE TABLE embedding_queue (rid INTEGER PRIMARY KEY REFERENCES records(rid)) STRICT;
INSERT INTO embedding_queue SELECT rid FROM records WHERE forgotten_at IS NULL;

-- Only a cache: all vectors of one silo in a range of numbers, in one blob, rounded to bytes.
CREATE TABLE vector_packs (
  pack INTEGER PRIMARY KEY,
  model INTEGER NOT NULL REFERENCES embedding_models(key),
  silo TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  count INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX vector_packs_by_silo ON vector_packs (model, silo, first_seq);

-- Vectors that a pack still holds, but record_vectors does not: so that a forget finds them there.
CREATE TABLE vector_gaps (
  seq INTEGER PRIMARY KEY,
  rid INTEGER NOT NULL REFERENCES records(rid),
  pack INTEGER NOT NULL REFERENCES vector_packs(pack) ON DELETE CASCADE
) STRICT;
CREATE INDEX vector_gaps_by_pack ON vector_gaps (pack);
`;
