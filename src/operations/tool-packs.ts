/** The tool packs of agents, for surfaces that offer the same tools to the agents of others. */
export {
  factTools,
  injectLearning,
  type Learning,
  sectionTools,
  swarmTools,
  type Tool,
} from '../agents/index.ts';
