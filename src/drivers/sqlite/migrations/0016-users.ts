/** The user that a record is about, counted and indexed with its agent, so that a user costs what that user has. */
export const users = `
-- Empty: about nobody in particular.
ALTER TABLE records ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
ALTER TABLE quarantine ADD COLUMN user_id TEXT NOT NULL DEFAULT '';

-- How many records with counted = 1 an agent has about a user; those about nobody are counted in agents.
CREATE TABLE agent_users (
  agent TEXT NOT NULL REFERENCES agents(name),
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  facts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_users_by_user ON agent_users (user_id);

CREATE INDEX records_by_owner ON records (agent, user_id);
CREATE INDEX records_by_user ON records (user_id) WHERE user_id <> '';

DROP INDEX records_shared;
CREATE INDEX records_shared ON records (user_id) WHERE scope = 'swarm';
DROP INDEX records_prunable;
CREATE INDEX records_prunable ON records (agent, user_id, source, confidence, updated_at) WHERE counted = 1 AND pinned = 0;
DROP INDEX records_expiring;
CREATE INDEX records_expiring ON records (agent, user_id, expires_at) WHERE counted = 1 AND expires_at IS NOT NULL;
DROP INDEX records_by_thread;
CREATE INDEX records_by_thread ON records (agent, thread, user_id, rid) WHERE thread IS NOT NULL;
DROP INDEX records_by_category;
CREATE INDEX records_by_category ON records (agent, category, user_id);
DROP INDEX records_by_time;
CREATE INDEX records_by_time ON records (agent, user_id, created_at);
DROP INDEX records_shared_by_category;
CREATE INDEX records_shared_by_category ON records (category, user_id) WHERE scope = 'swarm';
DROP INDEX records_pinned;
CREATE INDEX records_pinned ON records (agent, user_id) WHERE pinned = 1;
DROP INDEX records_shared_pinned;
CREATE INDEX records_shared_pinned ON records (user_id) WHERE scope = 'swarm' AND pinned = 1;
DROP INDEX records_documents;
CREATE INDEX records_documents ON records (agent, user_id) WHERE source = 'knowledge';
DROP INDEX records_shared_documents;
CREATE INDEX records_shared_documents ON records (user_id) WHERE scope = 'swarm' AND source = 'knowledge';
`;
