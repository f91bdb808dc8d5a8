/** The way to all conversations of one user with an agent. */
export const userThreads = `
CREATE INDEX messages_by_user ON messages (agent, thread COLLATE "C", seq) WHERE thread LIKE '@%';
`;
