/** The first line of a file of sections about a user: the name of the file is only a hash of the id. */

const START = '<!-- Sections about the user ';
const END = ' -->';

/** No character of an id can end the comment or begin a line. */
export const userLine = (user: string): string =>
  `${START}${JSON.stringify(user).replaceAll(/[<>-]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)}${END}\n\n`;

/** Whom a file is about; undefined when its first line does not say. */
export function userIn(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1);
  if (!line.startsWith(START) || !line.trimEnd().endsWith(END)) return undefined;
  try {
    const user: unknown = JSON.parse(line.trimEnd().slice(START.length, -END.length));
    return typeof user === 'string' ? user : undefined;
  } catch {
    return undefined;
  }
}
