/** The event stream; AUTOINCREMENT, so that a sequence number is never used twice. */
export const events = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  agent TEXT,
  event TEXT NOT NULL
) STRICT;
`;
