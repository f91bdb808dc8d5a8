/** Colours, on a terminal only: `util.styleText` looks at the stream, NO_COLOR and FORCE_COLOR for us. */
import { styleText } from 'node:util';

export type Format = Parameters<typeof styleText>[0];
export type Paint = (format: Format, text: string) => string;

export const plain: Paint = (_, text) => text;

export function painterFor(stream: NodeJS.WriteStream, wanted: boolean): Paint {
  return wanted ? (format, text) => styleText(format, text, { stream }) : plain;
}
