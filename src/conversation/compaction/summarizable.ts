/** Chooses what of a conversation a summary represents. */
import type { Conversation } from '../conversation.ts';
import { parseTranscript } from '../formats/memory-md.ts';
import { type ConversationMessage, contentText, isSummary } from '../messages/message.ts';
import { historyWindow } from '../window/history-window.ts';
import { PRELOAD_ID } from '../window/leading-messages.ts';
import { PRELOAD_MARK } from '../window/start-up.ts';
import { SUMMARY_MARK } from './summary-check.ts';
import { type Utterance, utterancesIn } from './utterances.ts';

export interface Summarizable {
  /** Without the prompt and the rules, which stay as they are. */
  readonly utterances: readonly Utterance[];
  /** Ids of the messages that a summary of them represents. */
  readonly covers: readonly string[];
  /** False when there is nothing but an earlier summary, which would only be summarised again. */
  readonly worthwhile: boolean;
}

/** The loaded MEMORY.md and the turns, but for the newest `keepLast` and those with the ids in `keep`. */
export async function summarizable(
  conversation: Conversation,
  keepLast: number,
  keep: ReadonlySet<string> = new Set(),
): Promise<Summarizable> {
  const preload = (await conversation.messages()).find(({ id }) => id === PRELOAD_ID);
  const history = await conversation.turns();
  const kept = new Set(historyWindow(history, keepLast, conversation.agent));
  const covered = history.filter((message) => !kept.has(message) && !keep.has(message.id));
  const loaded = preload === undefined ? [] : loadedUtterances(preload);
  return {
    utterances: [...loaded, ...covered.map(asUtterance)],
    covers: covered.map(({ id }) => id),
    worthwhile: !loaded.every(holdsSummary) || !covered.every(isSummary),
  };
}

const holdsSummary = ({ text }: Utterance): boolean => text.trimStart().startsWith(SUMMARY_MARK);

const asUtterance = ({ role, content }: ConversationMessage): Utterance => ({
  speaker: role,
  text: contentText(content),
});

/** Only the blocks: what a person wrote above them stays in the file as it is. */
function loadedUtterances({ content }: ConversationMessage): Utterance[] {
  const { source, blocks } = parseTranscript(contentText(content).slice(PRELOAD_MARK.length).trimStart());
  const said = source.slice(blocks[0]?.raw.start ?? source.length);
  return utterancesIn(said).filter(({ text }) => text !== '');
}
