/** Tool calls and results in a transcript as a person would tell them: fewer tokens to summarise, and no ids in an extract. */

/** As `contentText` writes a part: indented JSON in a fence, whose last line is the closing brace alone. */
const FENCED = /```json\n(\{\n[\s\S]*?\n\})\n```/g;

export function toolsInWords(text: string): string {
  return text.includes('```json')
    ? text.replace(FENCED, (fence, json: string) => inWords(json) ?? fence)
    : text;
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
