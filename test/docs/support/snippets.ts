/** The fenced blocks of a Markdown page. */

export interface Snippet {
  readonly page: string;
  /** What stands behind the fence, for example `ts`; `ts signature` is a declaration and no program. */
  readonly language: string;
  readonly text: string;
}

export function snippetsOf(page: string, markdown: string): Snippet[] {
  return [...markdown.matchAll(/^```([^\n`]*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    page,
    language: language!.trim(),
    text: text!,
  }));
}
