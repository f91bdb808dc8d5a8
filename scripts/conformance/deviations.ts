/** Where Keepsake does something else than a document says, and why. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  'A-12':
    'the last messages (10 by default) are replayed as turns and the rest of the file is the preamble, so that nothing is sent twice (decision 3); `history: preamble` does what the document says',
  'A-27':
    'a constructor in JavaScript cannot wait: `new Agent()` begins to create the file at once, and `await agent.shortMemory` says when it exists; `client.agent()` creates nothing before it is used',
  'A-30': 'the load begins in the constructor and ends before the first call that needs it',
  'A-31': 'within a start-up budget of 256 KiB, which says what it left out (decision 21)',
  'A-32':
    'OpenAI gets this order; for other providers, which refuse it, system messages are put together in front, and rules and task are one user turn',
  'A-45':
    'the prompt that triggered the compaction and its answer stay word for word, so that what is sent begins with a user turn (decision 17)',
  'A-46': 'followed by the prompt that triggered it (decision 17)',
  'A-47': 'text above the first block and turns that are still being answered stay (decisions 17 and 19)',
  'B-05':
    'learned facts go before stored ones, pinned ones never; what is pruned stays readable by id (decision 9)',
  'B-41':
    'programs in the workspace and admins get the reasons; over HTTP, the key of an agent gets the event without them, because they say how to get past the guard (decision 29)',
  'C-12':
    '`swarm-memory` is an alias of one collection for each workspace and embedding model, because vectors of different models cannot be compared; with several workspaces on one Qdrant, the first has the alias',
  'D-08': 'the database is data/keepsake.db',
  'E-02': 'the default is a table of word vectors that needs no key; OpenAI is one setting away',
  'E-03':
    'the default searches vectors in memory, faster than sqlite-vec; `storage.sqlite.vectorSearch: sqlite-vec` uses the extension',
  'E-23':
    'this is the ranking profile `classic`; the default profile ages facts by their source and puts standing instructions and preferences first (record 0014)',
  'E-24':
    'in the profile `classic` for everything; in the default profile for task results, summaries and notes, while facts hardly age (record 0014)',
  'E-26':
    'the candidates do not depend on the limit, so that the first hits of a longer list are those of a shorter one (decision 26)',
  'E-38':
    'the modules are those of ARCHITECTURE.md; providers are exchanged by configuration or in code all the same',
};
