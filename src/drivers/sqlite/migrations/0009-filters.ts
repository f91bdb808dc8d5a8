/** Ways to the records that a filter asks for, so that it costs what it finds; and fewer merges of the text index. */
export const filters = `
CREATE INDEX records_by_category ON records (agent, category);
CREATE INDEX records_by_time ON records (agent, created_at);
CREATE INDEX records_shared_by_category ON records (category) WHERE scope = 'swarm';
CREATE INDEX records_pinned ON records (agent) WHERE pinned = 1;
CREATE INDEX records_shared_pinned ON records (rid) WHERE scope = 'swarm' AND pinned = 1;

-- Each commit adds a small piece to the text index; merging eight at a time instead of four writes less.
INSERT INTO records_text (records_text, rank) VALUES ('automerge', 8);
`;
