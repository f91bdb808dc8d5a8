/** What records were said in, since when they hold, and which of them took the place of which. */
export const threads = `
ALTER TABLE records ADD COLUMN thread TEXT;
-- NULL: since it was stored.
ALTER TABLE records ADD COLUMN valid_from INTEGER;
ALTER TABLE records ADD COLUMN supersedes TEXT;
ALTER TABLE records ADD COLUMN superseded_by TEXT;
CREATE INDEX records_by_thread ON records (agent, thread, rid) WHERE thread IS NOT NULL;
-- Records that no longer say what they said when they were stored, for questions about the past.
CREATE INDEX records_changed ON records (updated_at) WHERE version > 1;
`;
