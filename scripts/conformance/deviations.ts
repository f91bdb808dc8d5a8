/** Where Keepsake does something else than a document says, and why. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  'A-12':
    'the last messages (10 by default) are replayed as turns and the rest of the file is the preamble, so that nothing is sent twice (decision 3); `history: preamble` does what the document says',
  'A-27':
    'a constructor in JavaScript cannot wait: `new Agent()` begins to create the file at once, and `await agent.shortMemory` says when it exists; `client.agent()` creates nothing before it is used',
  'A-30': 'the load begins in the constructor and ends before the first call that needs it',
  'A-31': 'within a start-up budget of 256 KiB, which says what it left out (decision 21)',
  'A-45':
    'the prompt that triggered the compaction and its answer stay word for word, so that what is sent begins with a user turn (decision 17)',
  'A-46': 'followed by the prompt that triggered it (decision 17)',
  'A-47': 'text above the first block and turns that are still being answered stay (decisions 17 and 19)',
  'B-05':
    'learned facts go before stored ones, pinned ones never; what is pruned stays readable by id (decision 9)',
  'C-12':
    'results are in the collection of their embedding model, because vectors of different models cannot be compared; `swarm-memory`, date, type, cost and model are in their metadata, and the type is a tag that every store filters by',
  'D-08': 'the database is data/keepsake.db',
  'E-02': 'the default is a table of word vectors that needs no key; OpenAI is one setting away',
  'E-03':
    'the default searches vectors in memory, faster than sqlite-vec; `storage.sqlite.vectorSearch: sqlite-vec` uses the extension',
  'E-26':
    'the candidates do not depend on the limit, so that the first hits of a longer list are those of a shorter one (decision 26)',
  'E-38':
    'the modules are those of ARCHITECTURE.md; providers are exchanged by configuration or in code all the same',
};
