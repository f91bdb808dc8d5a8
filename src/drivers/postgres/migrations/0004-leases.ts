/** Who may do which background work just now, so that several servers do it once. */
export const leases = `
CREATE TABLE leases (
  name TEXT COLLATE "C" PRIMARY KEY,
  -- NULL when it is free.
  owner TEXT,
  expires_at BIGINT NOT NULL,
  -- The row goes when it is over and nobody needs its note any more.
  kept_until BIGINT NOT NULL,
  note TEXT
) WITH (fillfactor = 50);
`;
