/** SQL with its values: pieces can be put into each other, and a value never becomes part of the text. */

export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

export interface Sql {
  readonly pieces: readonly string[];
  readonly values: readonly Value[];
}

/** Whoever can be asked for a row: a session, a transaction, or the database itself. */
export interface Asking {
  row<Row>(query: Sql): Promise<Row | undefined>;
}

const isSql = (part: Value | Sql): part is Sql =>
  typeof part === 'object' && part !== null && 'pieces' in part;

/** `sql\`a = ${value} AND ${otherSql}\``: values are bound, other SQL becomes part of it. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  const pieces = [strings[0]!];
  const values: Value[] = [];
  parts.forEach((part, i) => {
    const after = strings[i + 1]!;
    if (isSql(part)) {
      const [first, ...rest] = part.pieces;
      pieces[pieces.length - 1] += first!;
      pieces.push(...rest);
      values.push(...part.values);
      pieces[pieces.length - 1] += after;
    } else {
      values.push(part);
      pieces.push(after);
    }
  });
  return { pieces, values };
}

/** Text of our own making, such as a list of columns; never anything that came from outside. */
export const raw = (text: string): Sql => ({ pieces: [text], values: [] });

export function joined(parts: readonly Sql[], separator: string): Sql {
  return parts.reduce((all, part, i) => (i === 0 ? part : sql`${all}${raw(separator)}${part}`), raw(''));
}

/** As Postgres wants it: with numbered places for the values. */
export function textOf({ pieces }: Sql): string {
  return pieces.reduce((text, piece, i) => (i === 0 ? piece : `${text}$${i}${piece}`), '');
}
