/** An answer of a hook as it goes to stdout. */

/** Claude Code shows what these print as it is, and the first passes it to the summary as an instruction. */
const SILENT = ['pre-compact', 'post-compact'];

export function written(event: string | undefined, output: object): string {
  const isNothing = Object.keys(output).length === 0;
  return isNothing && SILENT.includes(event ?? '') ? '' : `${JSON.stringify(output)}\n`;
}
