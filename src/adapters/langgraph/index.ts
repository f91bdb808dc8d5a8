/** Keepsake for LangGraph.js: `compile({ store: new KeepsakeStore(), checkpointer: new KeepsakeSaver() })`. */
export { memoryPrompt } from './prompt.ts';
export { KeepsakeSaver, type KeepsakeSaverOptions } from './saver.ts';
export { KeepsakeStore, type KeepsakeStoreOptions } from './store.ts';
