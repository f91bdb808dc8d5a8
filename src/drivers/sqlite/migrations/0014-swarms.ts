/** Lessons that were shared with a swarm by hand leave the cap on facts, and a run knows how long its signs of life last. */
export const swarms = `
ALTER TABLE runs ADD COLUMN lease_ms INTEGER NOT NULL DEFAULT 86400000;
UPDATE agents SET facts = facts - (SELECT count(*) FROM records r
  WHERE r.agent = agents.name AND r.counted = 1 AND r.source = 'manual' AND r.scope = 'swarm');
UPDATE records SET counted = 0 WHERE counted = 1 AND source = 'manual' AND scope = 'swarm';
`;
