/** The reference memory server of MCP: a file with one entity or relation per line. */
import { defined } from '../../kernel/defined.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { type Foreign, type ForeignFact, isObject, labelOf, NOTHING, notThat, textOf } from './foreign.ts';

export function isServerMemory(first: JsonValue): boolean {
  if (!isObject(first)) return false;
  const isEntity = first.type === 'entity' && Array.isArray(first.observations);
  return isEntity || (first.type === 'relation' && textOf(first.from) !== undefined);
}

/** Observations are short and lean on their entity, so each is told with its name. */
function entityFacts(entity: JsonObject): ForeignFact[] {
  const name = textOf(entity.name);
  if (name === undefined) return [];
  const kind = labelOf(entity.entityType);
  const base = {
    category: 'fact',
    tags: kind === undefined ? [] : [kind],
    metadata: { entity: name, ...defined({ entityType: kind }) },
  };
  const given = Array.isArray(entity.observations) ? entity.observations : [];
  const observations = given.flatMap((each) => textOf(isObject(each) ? each.content : each) ?? []);
  if (observations.length === 0)
    return kind === undefined ? [] : [{ ...base, content: `${name} is a ${kind}.` }];
  return observations.map((text) => ({
    ...base,
    content: text.includes(name) ? text : `${name}: ${text}`,
  }));
}

function relationFacts({ from, to, relationType }: JsonObject): ForeignFact[] {
  const words = [from, relationType, to].flatMap((each) => textOf(each) ?? []);
  if (words.length < 3) return [];
  return [
    {
      content: words.join(' ').replaceAll('_', ' '),
      category: 'relationship',
      tags: [],
      metadata: { from: words[0]!, relationType: words[1]!, to: words[2]! },
    },
  ];
}

export function readServerMemory(lines: readonly JsonValue[]): Foreign {
  if (!lines.some(isServerMemory)) throw notThat('server-memory', 'no line is an entity or a relation.');
  const facts = lines.map((line) => {
    if (!isObject(line)) return [];
    if (line.type === 'relation') return relationFacts(line);
    return line.type === 'entity' ? entityFacts(line) : [];
  });
  return {
    ...NOTHING,
    format: 'server-memory',
    facts: facts.flat(),
    skipped: facts.filter((each) => each.length === 0).length,
  };
}
