/** Who may do which background work just now, so that several processes do it once. */
export const leases = `
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  -- NULL when it is free.
  owner TEXT,
  expires_at INTEGER NOT NULL,
  -- The row goes when it is over and nobody needs its note any more.
  kept_until INTEGER NOT NULL,
  note TEXT
) WITHOUT ROWID;
`;
