/** What tests of drivers and of programs on top of Keepsake need: a clock that stands still, chance that repeats, suites. */
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
