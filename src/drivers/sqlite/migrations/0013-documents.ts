/** The way to the passages of documents: a recall asks whether there are any, and most agents have none. */
export const documents = `
CREATE INDEX records_documents ON records (agent) WHERE source = 'knowledge';
CREATE INDEX records_shared_documents ON records (rid) WHERE scope = 'swarm' AND source = 'knowledge';
`;
