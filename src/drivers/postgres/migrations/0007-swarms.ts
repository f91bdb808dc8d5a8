/** Lessons that were shared with a swarm by hand leave the cap on facts, and a run knows how long its signs of life last. */
export const swarms = `
ALTER TABLE runs ADD COLUMN lease_ms BIGINT NOT NULL DEFAULT 86400000;
UPDATE agents a SET facts = facts - f.count FROM (SELECT agent, count(*) AS count FROM records
  WHERE counted AND source = 'manual' AND scope = 'swarm' GROUP BY agent) f WHERE f.agent = a.name;
UPDATE records SET counted = FALSE WHERE counted AND source = 'manual' AND scope = 'swarm';
`;
