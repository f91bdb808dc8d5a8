/** The calls of keepsake in a block of shell commands. */

/** In `console` blocks only what follows a prompt was typed. */
export function commandLines(text: string, language: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const typed = joined
    .split('\n')
    .flatMap((line) => (language === 'console' ? (line.startsWith('$ ') ? [line.slice(2)] : []) : [line]));
  return typed.flatMap((line) => {
    const match = /^(?:npx -y |[A-Z_]+=\S+ )*keepsake(?:\s+(.*))?$/.exec(line.trim());
    // Comments and pipes are the shell's business; `<id>` and `[flags]` stand for something in the reference.
    const rest = match?.[1]?.replace(/\s+#.*$/, '').replace(/\s+(?:\||>|&&|2>).*$/, '');
    return match === null || rest === undefined || /\[flags\]|<[a-z]/.test(rest) ? [] : [rest];
  });
}

export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}
