/** The tool packs of agents, for surfaces that offer the same tools to the agents of others. */
export { factTools, sectionTools, swarmTools, type Tool } from '../agents/index.ts';
export type { Learning } from '../working/index.ts';
