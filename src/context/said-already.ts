/** Knows what a prompt says already, so that memory does not say it again. */

/** Where a statement ends: at the end of a line, or of a sentence. */
const BETWEEN = /[\n\r\u2028\u2029]+|(?<=[.!?。！？])\s+/u;
/** How a statement may begin or end without meaning anything else. */
const AROUND = /^[\s\-*•>"'“”‘’]+|[\s.!。！"'“”‘’]+$/gu;

function statements(text: string): string[] {
  return text
    .split(BETWEEN)
    .map((part) => part.replace(AROUND, '').replace(/\s+/gu, ' ').toLowerCase())
    .filter((part) => part !== '');
}

export class SaidAlready {
  readonly #statements = new Set<string>();

  add(text: string): void {
    for (const statement of statements(text)) this.#statements.add(statement);
  }

  /** Whole statements only: "it is not true that …" says something else than what it quotes. */
  says(text: string): boolean {
    const parts = statements(text);
    return parts.length > 0 && parts.every((part) => this.#statements.has(part));
  }
}
