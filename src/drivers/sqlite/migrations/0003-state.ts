/** The working state of swarm runs. */
export const state = `
CREATE TABLE states (
  run TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX states_by_lease ON states (lease_until);
`;
