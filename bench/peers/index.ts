/** The memories that are compared. */
import { byHand } from './by-hand.ts';
import { keepsake } from './keepsake.ts';
import { lancedb } from './lancedb.ts';
import { langgraph } from './langgraph.ts';
import { mastra } from './mastra.ts';
import { mem0 } from './mem0.ts';
import { orama } from './orama.ts';
import type { Peer } from './peer.ts';
import { pglite } from './pglite.ts';
import { serverMemory } from './server-memory.ts';

export const PEERS: readonly Peer[] = [
  keepsake,
  byHand,
  lancedb,
  pglite,
  orama,
  mem0,
  mastra,
  langgraph,
  serverMemory,
];
