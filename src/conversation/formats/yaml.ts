/** Conversations as YAML: long texts as literal blocks, every other string quoted, so that no reader mistakes one. */
import type { Document, Node } from 'yaml';
import { KeepsakeError } from '../../kernel/errors.ts';
import { escapeRareBreaks } from './json.ts';
import { malformed } from './problem.ts';
import { type ConversationSnapshot, plainHead, plainMessage } from './snapshot.ts';

/** Python's exports use aliases for objects that appear twice; resolving them takes quadratic time. */
const MAX_ALIASES = 1000;

type Yaml = typeof import('yaml');

/** It takes 30 ms to load, so only when somebody asks for YAML. */
const loadYaml = (): Promise<Yaml> => import('yaml');

export async function encodeYaml(snapshot: ConversationSnapshot): Promise<string> {
  const { Document, visit } = await loadYaml();
  const plain = { ...plainHead(snapshot), messages: snapshot.messages.map(plainMessage) };
  const document = new Document(plain, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'string' || (key === 'key' && BARE_KEY.test(node.value))) return;
      node.type = key !== 'key' && isCalmText(node.value) ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
    },
  });
  // Rare characters stand in quoted strings only, where the escapes of JSON are those of YAML.
  return escapeRareBreaks(
    document.toString({ lineWidth: 0, doubleQuotedAsJSON: true, blockQuote: 'literal' }),
  );
}

/** Keys that no version of YAML takes for a truth value or a number: our own, and camelCase or snake_case of others. */
const BARE_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][a-z0-9_]*$/i;

/** Several lines of printable text without blanks that an editor or another reader would strip. */
function isCalmText(text: string): boolean {
  return (
    text.includes('\n') &&
    !/^[\s]|[ \t]\n|[ \t]$|\n\n$/.test(text) &&
    !/[^\n\t\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(text)
  );
}

export async function parseYaml(text: string): Promise<unknown> {
  const yaml = await loadYaml();
  try {
    const document = yaml.parseDocument(text, {
      prettyErrors: false, // they quote the text, which may be private
      uniqueKeys: false, // compares every key with every other
      stringKeys: true,
    });
    const error = document.errors[0];
    if (error !== undefined) {
      const problem = error.code === 'RESOURCE_EXHAUSTION' ? 'it is nested too deeply' : error.message;
      throw malformed(`This is not valid YAML: ${problem}`, text, error.pos[0]);
    }
    inspect(yaml, document, text);
    keepTexts(yaml, document.contents);
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (KeepsakeError.is(error)) throw error;
    throw malformed('This YAML is nested too deeply or its aliases lead nowhere', text, undefined, error);
  }
}

/** Refuses repeated keys and floods of aliases. What a few aliases unfold into is limited where the data is copied. */
function inspect({ isScalar, visit }: Yaml, document: Document.Parsed, text: string): void {
  let aliases = 0;
  visit(document, {
    Alias: (_, node) => {
      if (++aliases > MAX_ALIASES) {
        throw malformed(`The file has more than ${MAX_ALIASES} aliases`, text, node.range?.[0]);
      }
    },
    Map: (_, node) => {
      const keys = new Set<unknown>();
      for (const { key } of node.items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name))
          throw malformed('A key stands twice in one object', text, (key as Node).range?.[0]);
        keys.add(name);
      }
    },
  });
}

/** Python writes the text "1e3" without quotes; in the role and the content of a message it is text. */
function keepTexts({ isMap, isScalar, isSeq }: Yaml, root: unknown): void {
  const lists = isMap(root) ? root.items.map(({ value }) => value) : [root];
  for (const list of lists.filter((node) => isSeq(node))) {
    for (const message of list.items.filter((node) => isMap(node))) {
      for (const { key, value } of message.items) {
        const isText = isScalar(key) && (key.value === 'role' || key.value === 'content');
        if (isText && isScalar(value) && value.value !== null && value.source !== undefined) {
          value.value = typeof value.value === 'string' ? value.value : value.source;
        }
      }
    }
  }
}
