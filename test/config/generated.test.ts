/** The JSON Schema and the reference page in the repository are what the schema makes of them today. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generate-schema.ts';
import { allKeyPaths, configJsonSchema, type SchemaNode, schemaAt } from '../../src/config/json-schema.ts';

describe('generated files', () => {
  test.each(generatedFiles())(
    '$path is up to date (else run: node scripts/generate-schema.ts)',
    ({ path, text }) => {
      expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
    },
  );

  function nodes(node: SchemaNode, path: string): { path: string; node: SchemaNode }[] {
    const inner = Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
      nodes(child, `${path}.${key}`),
    );
    const rest =
      typeof node.additionalProperties === 'object' ? nodes(node.additionalProperties, `${path}.*`) : [];
    return [{ path, node }, ...inner, ...rest];
  }

  test('every object refuses unknown keys, and every key has words for hovers', () => {
    const all = nodes(configJsonSchema(), '');
    expect(all.length).toBeGreaterThan(60);
    for (const { path, node } of all) {
      if (node.type === 'object') expect(node.additionalProperties, path).not.toBe(undefined);
      if (path !== '' && !path.endsWith('.*')) expect(node.description?.length ?? 0, path).toBeGreaterThan(5);
    }
  });

  test('no key is required, so defaults are optional for editors too; only a swarm must say who is in it', () => {
    for (const { path, node } of nodes(configJsonSchema(), '')) {
      if (path === '.swarms.*') expect(node).toHaveProperty('required', ['agents', 'lead']);
      else expect(node, path).not.toHaveProperty('required');
    }
  });

  test('every key has a row in the reference', () => {
    const page = generatedFiles().find(({ path }) => path.endsWith('.md'))?.text ?? '';
    for (const path of allKeyPaths()) {
      if (schemaAt(path)?.type !== 'object') expect(page).toContain(`| \`${path.join('.')}\` |`);
    }
  });
});
