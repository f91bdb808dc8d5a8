/** Hooks that put memory in front of the model: when a session starts, and with each prompt. */
import { memoryContext, noteContextUsed } from '../../client/index.ts';
import { addContext, type Hook, type HookCall, NOTHING } from './hook.ts';

/** Of a long prompt, such as a pasted log, the beginning and the end say what is wanted. */
const PROMPT_CHARACTERS = 2_000;
/** Comes with every prompt, so it is kept short. */
const RECALLED_CHARACTERS = 1_500;
/** "yes", "go on": nothing that could be looked up. */
const SHORTEST_PROMPT = 8;

async function answer(
  event: string,
  { engine, caller }: HookCall,
  query: Parameters<typeof memoryContext>[1],
) {
  const context = await memoryContext(engine, query, caller);
  if (context.text === '') return NOTHING;
  return {
    output: addContext(event, context.text),
    after: () => noteContextUsed(engine, context, caller),
  };
}

export const sessionStart: Hook = {
  budgetMs: 5_000,
  concerns: () => true,
  run: (call) => answer('SessionStart', call, {}),
};

export const userPromptSubmit: Hook = {
  budgetMs: 300,
  concerns: ({ prompt = '' }) => weight(prompt.trim()) >= SHORTEST_PROMPT && !prompt.startsWith('/'),
  run: (call) => {
    // What always holds was shown when the session started.
    const query = {
      task: shortened(call.input.prompt ?? ''),
      only: 'relevant',
      maxChars: RECALLED_CHARACTERS,
    } as const;
    return answer('UserPromptSubmit', call, query);
  },
};

const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Characters, of which those that stand for a syllable or a word count double. */
function weight(prompt: string): number {
  return prompt.length + (prompt.match(IDEOGRAPHS)?.length ?? 0);
}

function shortened(prompt: string): string {
  if (prompt.length <= PROMPT_CHARACTERS) return prompt;
  const half = PROMPT_CHARACTERS / 2;
  return `${prompt.slice(0, half)}\n${prompt.slice(-half)}`.toWellFormed();
}
