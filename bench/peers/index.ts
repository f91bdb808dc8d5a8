/** The memories that are compared. */
import { keepsake } from './keepsake.ts';
import { langgraph } from './langgraph.ts';
import { mastra } from './mastra.ts';
import { mem0 } from './mem0.ts';
import type { Peer } from './peer.ts';
import { serverMemory } from './server-memory.ts';

export const PEERS: readonly Peer[] = [keepsake, mem0, mastra, langgraph, serverMemory];
