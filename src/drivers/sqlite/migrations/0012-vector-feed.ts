/** For an index of vectors outside of the database: what has changed, and which of it is there already. */
const CHANGED = (row: 'NEW' | 'OLD'): string => `
  UPDATE vector_feed SET changes = changes + 1 WHERE EXISTS (SELECT 1 FROM vector_changes WHERE rid = ${row}.rid);
  UPDATE vector_changes SET change = (SELECT changes FROM vector_feed)
    WHERE rid = ${row}.rid AND EXISTS (SELECT 1 FROM vector_feed);`;

export const vectorFeed = `
-- No row: nobody follows, and nothing is noted.
CREATE TABLE vector_feed (identity TEXT PRIMARY KEY, changes INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Every record that had a vector since somebody follows. A number belongs to one state of one record and is never used again.
CREATE TABLE vector_changes (
  rid INTEGER PRIMARY KEY REFERENCES records(rid),
  first INTEGER NOT NULL,
  change INTEGER NOT NULL UNIQUE,
  -- The last number that the index has confirmed.
  carried INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX vector_changes_waiting ON vector_changes (change) WHERE carried <> change;

-- Triggers, so that no write can be missed: not those of a repair, nor those of a process that knows of no index.
CREATE TRIGGER vector_feed_made AFTER INSERT ON record_vectors BEGIN
  UPDATE vector_feed SET changes = changes + 1;
  INSERT INTO vector_changes (rid, first, change) SELECT NEW.rid, changes, changes FROM vector_feed WHERE TRUE
    ON CONFLICT (rid) DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER vector_feed_replaced AFTER UPDATE ON record_vectors BEGIN${CHANGED('NEW')}
END;
CREATE TRIGGER vector_feed_gone AFTER DELETE ON record_vectors BEGIN${CHANGED('OLD')}
END;
CREATE TRIGGER vector_feed_changed AFTER UPDATE OF agent, scope, source, category, confidence, tags, pinned, thread,
  created_at, updated_at, valid_from, expires_at, forgotten_at, version ON records BEGIN${CHANGED('NEW')}
END;
`;
