/** Hooks that put memory in front of the model: when a session starts, and with each prompt. */
import { existsSync } from 'node:fs';
import { LearningProblem } from '../../administration/learning-problem.ts';
import { memoryContext, noteContextUsed } from '../../client/index.ts';
import { callVerb } from '../../kernel/verb.ts';
import { verbs } from '../../verbs.ts';
import { addContext, type Hook, type HookAnswer, type HookCall } from './hook.ts';
import { SessionFile, type Shown } from './session-file.ts';

/** Of a long prompt, such as a pasted log, the beginning and the end say what is wanted. */
const PROMPT_CHARACTERS = 2_000;
/** Comes with every prompt, so it is kept short. */
const RECALLED_CHARACTERS = 1_500;
/** Nothing that could be looked up. */
const SHORTEST_PROMPT = 3;
const REPLIES = new Set(
  'yes yeah yep no nope ok okay sure thanks thank you go on ahead continue proceed next done stop good great nice fine please do it that again try retry hi hello hey'.split(
    ' ',
  ),
);

/** Whether a conversation has it before its eyes: it was shown there, or is the summary of what was said there. */
const isKnownTo =
  (session: SessionFile) =>
  (memory: Shown & { readonly source: string; readonly thread: string | null }): boolean =>
    session.wasShown(memory) || (memory.source === 'session_summary' && memory.thread === session.thread);

async function answer(
  event: string,
  { engine, caller, session }: HookCall,
  query: Parameters<typeof memoryContext>[1],
  more: { readonly note?: string; readonly after?: () => Promise<unknown> } = {},
): Promise<HookAnswer> {
  const context = await memoryContext(engine, { ...query, leaveOut: isKnownTo(session) }, caller);
  const text = [context.text, more.note ?? ''].filter((part) => part !== '').join('\n\n');
  const after = async () => {
    await session.add(context.shown);
    await noteContextUsed(engine, context, caller);
    await more.after?.();
  };
  return { output: text === '' ? {} : addContext(event, text), after };
}

/** After these the conversation no longer holds what it was shown. */
const FORGETS = ['startup', 'clear', 'compact'];

export const sessionStart: Hook = {
  budgetMs: 5_000,
  graceMs: 2_000,
  concerns: () => true,
  run: async (call) => {
    const { engine, caller, input, session } = call;
    if (FORGETS.includes(input.source ?? 'startup')) await session.reset(engine.clock.now());
    const { agent } = caller.viewer;
    const folder = engine.paths.notesFolder(agent!);
    const note = session.wasTold('notes')
      ? ''
      : `Markdown notes that you write into ${folder} are found by later sessions.`;
    const told = new SessionFile(engine.paths.dataFolder, 'all sessions');
    const problem = new LearningProblem(engine.paths.dataFolder).read();
    const isNews = problem !== undefined && !told.wasTold(String(problem.at));
    const answered = await answer(
      'SessionStart',
      call,
      {},
      {
        note,
        after: async () => {
          await session.tell('notes');
          if (isNews) await told.tell(String(problem.at));
          // A session may end before the hook that indexes a note has run.
          if (existsSync(folder)) await callVerb(verbs.notesIndex, engine, {}, caller);
        },
      },
    );
    if (!isNews) return answered;
    const systemMessage = `Keepsake could not review the last session: ${problem.message} "keepsake doctor" says more.`;
    return { ...answered, output: { ...answered.output, systemMessage } };
  },
};

export const userPromptSubmit: Hook = {
  budgetMs: 300,
  concerns: ({ prompt = '' }) =>
    weight(prompt.trim()) >= SHORTEST_PROMPT && !prompt.startsWith('/') && !isReply(prompt),
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

/** "Yes, continue": all of its words only keep the conversation going. "cache?" is a question. */
function isReply(prompt: string): boolean {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => REPLIES.has(word));
}

const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Characters, of which those that represent a syllable or a word count double. */
function weight(prompt: string): number {
  return prompt.length + (prompt.match(IDEOGRAPHS)?.length ?? 0);
}

function shortened(prompt: string): string {
  if (prompt.length <= PROMPT_CHARACTERS) return prompt;
  const half = PROMPT_CHARACTERS / 2;
  return `${prompt.slice(0, half)}\n${prompt.slice(-half)}`.toWellFormed();
}
