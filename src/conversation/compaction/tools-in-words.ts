/** Tool calls and results in a transcript as a person would tell them: fewer tokens to summarise, and no ids in an extract. */
import type { Utterance } from './utterances.ts';

/** As `contentText` writes a part: indented JSON in a fence, whose last line is the closing brace alone. */
const FENCED = /```json\n(\{\n[\s\S]*?\n\})\n```/g;

export function withToolsInWords(utterance: Utterance): Utterance {
  const { speaker, text } = utterance;
  if (!text.includes('```json')) return utterance;
  return { speaker, text: text.replace(FENCED, (fence, json: string) => inWords(json) ?? fence) };
}

function inWords(json: string): string | undefined {
  let part: Record<string, unknown>;
  try {
    part = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { type, toolName, input, output } = part;
  if (typeof toolName !== 'string') return undefined;
  const plain = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value ?? null);
  if (type === 'tool-call') return `${toolName}(${plain(input)})`;
  return type === 'tool-result' ? `${toolName} → ${plain(output)}` : undefined;
}
