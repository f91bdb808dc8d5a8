/** Tools for tests of drivers and programs: fake clock, seeded random numbers, scripted models, conformance suites. */
export {
  type ConformanceOptions,
  type Expectation,
  eventStoreConformance,
  itemStoreConformance,
  leaseStoreConformance,
  logStoreConformance,
  messageBusConformance,
  type Opened,
  recordStoreConformance,
  runStoreConformance,
  type StoreOf,
  stateStoreConformance,
  type TestRunner,
} from './conformance/index.ts';
export { type FakeClock, fakeClock } from './fake-clock.ts';
export {
  type EmbeddingsRequest,
  type ScriptedEmbeddings,
  type ScriptedStep,
  scriptedEmbeddings,
  scriptedVector,
} from './scripted-embeddings.ts';
export {
  type Script,
  type ScriptedAnswer,
  type ScriptedFault,
  type ScriptedFormat,
  type ScriptedModel,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedToolCall,
  scriptedModel,
} from './scripted-model/index.ts';
export { type SeededRandom, seededRandom } from './seeded-random.ts';
