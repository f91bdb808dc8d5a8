/** Parses an uploaded conversation: short texts directly, long ones in a thread with limits. */
import { itemsFromThread, type ThreadProgram } from '../../documents/index.ts';
import { defined } from '../../kernel/defined.ts';
import type { ConversationMessage } from '../messages/message.ts';
import { type ConversationFormat, type ConversationSnapshot, decodeConversation } from './index.ts';

/** Every part names the conversation again; together they hold its messages in their order. */
export type ConversationPart = Pick<ConversationSnapshot, 'agent' | 'conversationId' | 'messages'>;

export interface DecodeInput {
  readonly text: string;
  readonly format?: ConversationFormat;
}

const MIB = 1024 * 1024;
/** The worst text of this length takes some milliseconds in any format. */
const SHORT = 32 * 1024;
/** Few enough to be stored between two requests of others. */
const MOST_MESSAGES = 100;
const MOST_CHARACTERS = 256 * 1024;

const PROGRAM: ThreadProgram = {
  source: 'src/conversation/formats/decode-thread.ts',
  compiled: 'dist/sdk/decode-thread.js',
};

/** Ten times what ordinary texts of the size need; YAML is slow and large, so these are its figures. */
function limitsFor({ length }: string): { milliseconds: number; megabytes: number } {
  const mebibytes = length / MIB;
  return { milliseconds: 10_000 + 4_000 * mebibytes, megabytes: Math.ceil(160 + 40 * mebibytes) };
}

/** Nothing is handed out before the whole text was found to be valid. */
export async function* decodeParts(
  text: string,
  format: ConversationFormat | undefined,
): AsyncGenerator<ConversationPart, void, undefined> {
  const input: DecodeInput = { text, ...defined({ format }) };
  if (text.length <= SHORT) yield* partsOf(input);
  else
    yield* itemsFromThread<ConversationPart>({
      ...{ program: PROGRAM, input, limits: limitsFor(text), what: 'This conversation' },
    });
}

export async function* partsOf({ text, format }: DecodeInput): AsyncGenerator<ConversationPart> {
  const { agent, conversationId, messages } = await decodeConversation(text, format);
  let part: ConversationMessage[] = [];
  let size = 0;
  for (const message of messages) {
    const length = lengthOf(message);
    if (part.length >= MOST_MESSAGES || (part.length > 0 && size + length > MOST_CHARACTERS)) {
      yield { agent, conversationId, messages: part };
      part = [];
      size = 0;
    }
    part.push(message);
    size += length;
  }
  if (part.length > 0) yield { agent, conversationId, messages: part };
}

function lengthOf({ content }: ConversationMessage): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length;
}
