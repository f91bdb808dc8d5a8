/** For an index of vectors outside of the database: what has changed, and which of it is there already. */
export const vectorFeed = `
-- No row: nobody follows, and nothing is noted. Whoever notes something holds the row, so that numbers are committed in
-- their order.
CREATE TABLE vector_feed (identity TEXT PRIMARY KEY);
CREATE SEQUENCE vector_feed_numbers;

-- Every record that had a vector since somebody follows. A number belongs to one state of one record and is never used again.
CREATE TABLE vector_changes (
  rid BIGINT PRIMARY KEY REFERENCES records (rid),
  first BIGINT NOT NULL,
  change BIGINT NOT NULL UNIQUE,
  -- The last number that the index has confirmed.
  carried BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX vector_changes_waiting ON vector_changes (change) WHERE carried <> change;

-- Its tables are those of this schema, whoever writes.
CREATE FUNCTION note_vector_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM 1 FROM vector_feed FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'record_vectors' AND TG_OP = 'INSERT' THEN
    INSERT INTO vector_changes (rid, first, change) SELECT NEW.rid, n, n FROM nextval('vector_feed_numbers') AS n
      ON CONFLICT (rid) DO UPDATE SET change = excluded.change;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE vector_changes SET change = nextval('vector_feed_numbers') WHERE rid = OLD.rid;
  ELSE
    UPDATE vector_changes SET change = nextval('vector_feed_numbers') WHERE rid = NEW.rid;
  END IF;
  RETURN NULL;
END $$;

-- Triggers, so that no write can be missed: not those of a repair, nor those of a process that knows of no index.
CREATE TRIGGER vector_feed_changed AFTER INSERT OR UPDATE OR DELETE ON record_vectors
  FOR EACH ROW EXECUTE FUNCTION note_vector_change();
CREATE TRIGGER vector_feed_changed AFTER UPDATE OF agent, scope, source, category, confidence, tags, pinned, thread,
  created_at, updated_at, valid_from, expires_at, forgotten_at, version ON records
  FOR EACH ROW EXECUTE FUNCTION note_vector_change();
`;
