// LangGraph: a store that finds by meaning, and checkpoints that survive the process.
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { createClient } from 'keepsake';
import { KeepsakeSaver, KeepsakeStore } from 'keepsake/langgraph';

const client = createClient();
const store = new KeepsakeStore({ client, index: { fields: ['text'] } });
const checkpointer = new KeepsakeSaver({ client });

const graph = new StateGraph(Annotation.Root({ answer: Annotation() }))
  .addNode('recall', async () => {
    const [hit] = await store.search(['memories', 'ada'], { query: 'what does she eat', limit: 1 });
    return { answer: hit?.value.text };
  })
  .addEdge(START, 'recall')
  .addEdge('recall', END)
  .compile({ store, checkpointer });

await store.put(['memories', 'ada'], 'food', { text: 'Ada never eats meat.' });
const thread = { configurable: { thread_id: 'chat 1' } };
console.log((await graph.invoke({}, thread)).answer);
console.log('The state of the thread:', (await graph.getState(thread)).values.answer);
await client.close();
