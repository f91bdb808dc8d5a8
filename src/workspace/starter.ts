/** The keepsake.jsonc that a new workspace starts with. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_AGENT_NAME } from '../kernel/names.ts';
import { packageFile } from '../runtime/package-root.ts';

const IN_PACKAGE = join('node_modules', 'keepsake', 'schema', 'keepsake.schema.json');

/** From one place to the other as an editor reads it, on every system. */
function wayTo(root: string, file: string): string {
  const way = relative(root, file).split(sep).join('/');
  return way.startsWith('../') ? way : `./${way}`;
}

/**
 * Editors must find the schema without a network. A package that is installed at the workspace or above it, or a clone that the
 * workspace stands in, is named by a relative path, which is the same for everyone who checks the project out. Of other copies only
 * one that is installed for the whole machine is named, by its URL: the cache of npx comes and goes, and where somebody's clone
 * is concerns nobody else.
 */
export function schemaReference(
  root: string,
  shipped: string = packageFile('schema/keepsake.schema.json'),
): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, IN_PACKAGE))) return wayTo(root, join(folder, IN_PACKAGE));
    if (folder === dirname(folder)) break;
  }
  const parts = shipped.split(sep);
  if (parts.includes('node_modules')) return parts.includes('_npx') ? undefined : pathToFileURL(shipped).href;
  const clone = dirname(dirname(shipped));
  return `${root}${sep}`.startsWith(`${clone}${sep}`) ? wayTo(root, shipped) : undefined;
}

interface Starter {
  readonly schema?: string | undefined;
  readonly name?: string | undefined;
}

export function starterConfig({ schema, name }: Starter): string {
  const schemaLine =
    schema === undefined
      ? `  // With the package in your project, this line lets your editor complete and explain every key:
  // "$schema": "./node_modules/keepsake/schema/keepsake.schema.json",\n\n`
      : `  "$schema": ${JSON.stringify(schema)},\n\n`;
  const nameLine = `${name === undefined ? '// ' : ''}"name": ${JSON.stringify(name ?? DEFAULT_AGENT_NAME)},`;
  return `// Configuration of this Keepsake workspace. Lines that are commented out show the defaults.
{
${schemaLine}  // Default agent, used when a command names none.
  ${nameLine}

  // Long-term facts: remember, recall, forget, and what is learned at the end of a session.
  "memory": {
    "enabled": true,
    // "maxEntries": 200,
    // "maxCharsInjected": 2000,
    // "confidenceThreshold": 0.6,
    // "minMessagesToExtract": 4,
    // "dryRun": false,
  },

  // How many messages of the conversation are sent again: "low" 10, "medium" 50, "high" 200, "off" none.
  // "history": "low",

  // MEMORY.md: the conversation of each agent, readable and kept over restarts.
  // "persistentMemory": true,

  // Summarise a conversation that nears the context limit.
  // "contextCompression": true,
  // "compression": { "threshold": 0.9 },

  // Models, as "provider/model". "static" needs no network and no key.
  // "models": { "main": "none", "embedding": "static" },

  // How long memories can be found, by source; null is forever.
  // "ttl": { "task_completion": "7d", "session_summary": "3d", "file_index": "30d", "manual": null },

  // Where memory is stored.
  // "storage": { "driver": "sqlite", "sqlite": { "file": "data/keepsake.db" } },

  // Settings of single agents.
  // "agents": { },
}
`;
}
