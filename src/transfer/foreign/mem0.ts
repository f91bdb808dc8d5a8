/** mem0: the JSON of `get_all()` and of its exports; memories become facts, relations of its graph relationships. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import {
  type Foreign,
  type ForeignFact,
  isObject,
  labelOf,
  NOTHING,
  notThat,
  textOf,
  timeOf,
} from './foreign.ts';

const LISTS = ['results', 'memories'];
const WHOSE = ['id', 'user_id', 'agent_id', 'run_id', 'app_id', 'actor_id'];

function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const name = LISTS.find((each) => Array.isArray(value[each]));
  return name === undefined ? undefined : (value[name] as JsonValue[]);
}

const contentOf = (entry: JsonObject): string | undefined =>
  textOf(entry.memory) ?? textOf(entry.content) ?? textOf(entry.data);

export function isMem0(value: JsonValue): boolean {
  const first = listIn(value)?.[0];
  return isObject(first) && contentOf(first) !== undefined && 'memory' in first;
}

function factOf(entry: JsonObject): ForeignFact | undefined {
  const content = contentOf(entry);
  if (content === undefined) return undefined;
  const labels = [entry.categories, (entry.metadata as JsonObject | null)?.category].flat();
  const tags = [...new Set(labels.flatMap((label) => labelOf(label) ?? []))];
  const known = WHOSE.filter((key) => textOf(entry[key]) !== undefined).map((key) => [key, entry[key]]);
  return {
    content,
    category: tags[0] ?? 'fact',
    tags,
    metadata: {
      ...(isObject(entry.metadata) ? entry.metadata : {}),
      mem0: Object.fromEntries(known) as JsonObject,
    },
    since: timeOf(entry.created_at ?? entry.createdAt),
  };
}

/** A relation of its graph: who is what to whom. */
function relationOf(entry: JsonValue): ForeignFact[] {
  if (!isObject(entry)) return [];
  const ends = [entry.source, entry.relationship ?? entry.relation, entry.target ?? entry.destination];
  const words = ends.flatMap((end) => textOf(end) ?? []);
  if (words.length < 3) return [];
  return [
    {
      content: words.join(' ').replaceAll('_', ' '),
      category: 'relationship',
      tags: [],
      metadata: { mem0: { source: words[0]!, relationship: words[1]!, target: words[2]! } },
    },
  ];
}

export function readMem0(value: JsonValue): Foreign {
  const list = listIn(value);
  if (list === undefined) throw notThat('mem0', 'there is no list of memories in it.');
  const facts = list.map((entry) => (isObject(entry) ? factOf(entry) : undefined));
  const relations = isObject(value) && Array.isArray(value.relations) ? value.relations : [];
  const found = facts.filter((fact) => fact !== undefined);
  return {
    ...NOTHING,
    format: 'mem0',
    facts: [...found, ...relations.flatMap(relationOf)],
    skipped: list.length - found.length,
  };
}
