/** For servers that search in memory: which records have changed since they last looked. New ones are seen by their numbers. */
export const recordChanges = `
CREATE SEQUENCE record_change_numbers;
-- The transaction tells the same number of another history, after a restore, from this one. No record: all may have changed.
CREATE TABLE record_changes (
  change BIGINT PRIMARY KEY DEFAULT nextval('record_change_numbers'),
  rid BIGINT,
  mark TEXT NOT NULL DEFAULT pg_current_xact_id()::text
);
-- There is always a last one.
INSERT INTO record_changes (rid) VALUES (0);

-- Whoever writes holds the row of the lane, so that numbers are committed in their order. Those that no reader can still want go.
CREATE FUNCTION note_record_changes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  touched BIGINT;
  newest BIGINT;
BEGIN
  SELECT count(*) INTO touched FROM (SELECT 1 FROM gone LIMIT 1001) few;
  IF touched = 0 THEN RETURN NULL; END IF;
  PERFORM 1 FROM lanes WHERE name = 'memory' FOR UPDATE;
  IF touched > 1000 THEN INSERT INTO record_changes (rid) VALUES (NULL);
  ELSE INSERT INTO record_changes (rid) SELECT rid FROM gone;
  END IF;
  newest := currval('record_change_numbers');
  IF newest % 1000 < touched THEN DELETE FROM record_changes WHERE change < newest - 20000; END IF;
  RETURN NULL;
END $$;

-- Triggers, so that no write can be missed: not those of a repair, nor those of a process of another version.
CREATE TRIGGER record_updated AFTER UPDATE ON records REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_record_changes();
CREATE TRIGGER record_deleted AFTER DELETE ON records REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_record_changes();
CREATE TRIGGER vector_updated AFTER UPDATE ON record_vectors REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_record_changes();
CREATE TRIGGER vector_deleted AFTER DELETE ON record_vectors REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_record_changes();
-- A record that waited for its vector has it now.
CREATE TRIGGER vector_made AFTER DELETE ON embedding_queue REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_record_changes();
`;
