/** Vectors of the tokens of records, for late interaction, and the records that wait for theirs. */

/** Which texts stand around one: two before it and one after it lend a record their meaning. */
const ownThread = (row: 'OLD' | 'NEW'): string =>
  `agent = ${row}.agent AND thread = ${row}.thread AND user_id = ${row}.user_id AND scope = ${row}.scope AND forgotten_at IS NULL`;

/** Those whose vectors say something of this record. */
const readWith = (row: 'OLD' | 'NEW'): string => `
  SELECT rid FROM (SELECT rid FROM records WHERE ${ownThread(row)} AND rid < ${row}.rid ORDER BY rid DESC LIMIT 1)
  UNION SELECT rid FROM (SELECT rid FROM records WHERE ${ownThread(row)} AND rid > ${row}.rid ORDER BY rid LIMIT 2)`;

export const tokens = `
-- No row: nobody uses them, and nothing is noted. Never more than one.
CREATE TABLE token_space (
  id TEXT PRIMARY KEY,
  dimensions INTEGER NOT NULL,
  passage INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE record_tokens (
  rid INTEGER PRIMARY KEY REFERENCES records(rid),
  -- A byte for each dimension of each token; empty for a text that the model cannot read.
  vectors BLOB NOT NULL
) STRICT;

CREATE TABLE token_queue (rid INTEGER PRIMARY KEY REFERENCES records(rid)) STRICT;

-- Triggers, so that no write can be missed: not those of a repair, nor those of a process that knows of no tokens.
CREATE TRIGGER tokens_added AFTER INSERT ON records
WHEN NEW.forgotten_at IS NULL AND EXISTS (SELECT 1 FROM token_space) BEGIN
  INSERT OR IGNORE INTO token_queue (rid) VALUES (NEW.rid);
  -- The one before it has something after it now; its vectors serve until it is read again.
  INSERT OR IGNORE INTO token_queue (rid) ${readWith('NEW')};
END;

-- What was taken back or shared with others must not live on in the vectors of its neighbours.
CREATE TRIGGER tokens_changed AFTER UPDATE OF content, forgotten_at, agent, user_id, scope, thread ON records
WHEN EXISTS (SELECT 1 FROM token_space) AND (OLD.content <> NEW.content OR OLD.forgotten_at IS NOT NEW.forgotten_at
  OR OLD.agent <> NEW.agent OR OLD.user_id <> NEW.user_id OR OLD.scope <> NEW.scope OR OLD.thread IS NOT NEW.thread) BEGIN
  DELETE FROM record_tokens WHERE rid = NEW.rid OR rid IN (${readWith('OLD')});
  DELETE FROM token_queue WHERE rid = NEW.rid AND NEW.forgotten_at IS NOT NULL;
  INSERT OR IGNORE INTO token_queue (rid) SELECT NEW.rid WHERE NEW.forgotten_at IS NULL
    UNION ${readWith('OLD')} UNION ${readWith('NEW')};
END;

CREATE TRIGGER tokens_gone BEFORE DELETE ON records BEGIN
  DELETE FROM record_tokens WHERE rid = OLD.rid;
  DELETE FROM token_queue WHERE rid = OLD.rid;
END;
`;
