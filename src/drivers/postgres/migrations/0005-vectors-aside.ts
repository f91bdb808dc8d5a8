/** Vectors of the next model, kept aside until all are there; search goes by those of the present one meanwhile. */
export const vectorsAside = `
CREATE TABLE vectors_aside (
  rid BIGINT PRIMARY KEY REFERENCES records (rid),
  model INTEGER NOT NULL REFERENCES embedding_models (key),
  -- Of the record whose text was embedded.
  version INTEGER NOT NULL,
  vector VECTOR NOT NULL
) WITH (toast_tuple_target = 8160);
`;
