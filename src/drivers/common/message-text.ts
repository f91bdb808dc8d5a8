/** The text that the word index of messages is made of. */
import { contentText, type MessageContent } from '../../conversation/rules/content-text.ts';

/** What a person reads in the stored content of a message. */
export function readText(content: string): string {
  try {
    return contentText(JSON.parse(content) as MessageContent);
  } catch {
    // Damaged JSON is reported by another check; its words can still be found.
    return content;
  }
}
