/** The user that a record is about, counted and indexed with its agent, so that a user costs what that user has. */
export const users = `
-- Empty: about nobody in particular. Ids are compared byte by byte, whatever the language of the database.
ALTER TABLE records ADD COLUMN user_id TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE record_words ADD COLUMN user_id TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE quarantine ADD COLUMN user_id TEXT COLLATE "C" NOT NULL DEFAULT '';

-- How many records with counted an agent has about a user; those about nobody are counted in agents.
CREATE TABLE agent_users (
  agent TEXT NOT NULL REFERENCES agents (name),
  user_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  facts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent, user_id)
);
CREATE INDEX agent_users_by_user ON agent_users (user_id);

CREATE INDEX records_by_owner ON records (agent, user_id, rid);
CREATE INDEX records_by_user ON records (user_id, rid) WHERE user_id <> '';
DROP INDEX records_shared;
CREATE INDEX records_shared ON records (user_id, rid) WHERE scope = 'swarm';
DROP INDEX records_by_thread;
CREATE INDEX records_by_thread ON records (agent, md5(thread), user_id, rid) WHERE thread IS NOT NULL;
DROP INDEX records_prunable;
CREATE INDEX records_prunable ON records (agent, user_id, source, confidence, updated_at, rid) WHERE counted AND NOT pinned;
DROP INDEX records_expiring;
CREATE INDEX records_expiring ON records (agent, user_id, expires_at) WHERE counted AND expires_at IS NOT NULL;
DROP INDEX record_words_by_agent;
CREATE INDEX record_words_by_owner ON record_words (agent, user_id);
CREATE INDEX record_words_by_user ON record_words (user_id) WHERE user_id <> '';
`;
