/** Settings in YAML, where servers are a list and each has its name; comments and order stay. */
import { type Document, isMap, isSeq, parseDocument, stringify, YAMLMap } from 'yaml';
import { cannotChange, type Entry, type SettingsFormat } from './settings-format.ts';

/** What Continue wants at the top of a file. */
const NEW_FILE = 'name: Keepsake\nversion: 1.0.0\nschema: v1\n';

function read(text: string, file: string): Document {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw cannotChange(file, `line ${problem.linePos?.[0].line ?? 1} is not valid YAML`);
  if (document.contents !== null && !isMap(document.contents))
    throw cannotChange(file, 'it does not hold a mapping');
  return document;
}

function serversIn(document: Document, file: string, key: string): readonly unknown[] {
  const servers = document.get(key);
  if (servers === undefined || servers === null) return [];
  if (!isSeq(servers)) throw cannotChange(file, `"${key}" is not a list`);
  return servers.items;
}

const placeIn = (servers: readonly unknown[], name: string): number =>
  servers.findIndex((server) => isMap(server) && server.get('name') === name);

const written = (document: Document): string => document.toString({ lineWidth: 0 });

export const yamlSettings: SettingsFormat = {
  withEntry: (text, file, [key, name], entry) => {
    const before = text ?? '';
    const document = read(before.trim() === '' ? NEW_FILE : before, file);
    const servers = serversIn(document, file, key);
    const place = placeIn(servers, name);
    const value = { name, ...entry };
    const present = place === -1 ? undefined : (servers[place] as YAMLMap).toJSON();
    if (JSON.stringify(present) === JSON.stringify(value)) return { before, after: before };
    if (servers.length === 0) document.set(key, document.createNode([value]));
    else if (place === -1) document.addIn([key], document.createNode(value));
    else document.setIn([key, place], document.createNode(value));
    return { before, after: written(document) };
  },
  withoutEntry: (before, file, [key, name]) => {
    const document = read(before, file);
    const servers = serversIn(document, file, key);
    const place = placeIn(servers, name);
    if (place === -1) return { before, after: before };
    document.deleteIn(servers.length === 1 ? [key] : [key, place]);
    return { before, after: written(document) };
  },
  entryIn: (text, file, [key, name]) => {
    const servers = serversIn(read(text, file), file, key);
    const found = servers[placeIn(servers, name)];
    return found instanceof YAMLMap ? (found.toJSON() as Entry) : undefined;
  },
  isEmpty: (text) => ['', NEW_FILE.trim()].includes(text.trim()),
  snippet: ([key, name], entry) => stringify({ [key]: [{ name, ...entry }] }, { lineWidth: 0 }).trimEnd(),
};
