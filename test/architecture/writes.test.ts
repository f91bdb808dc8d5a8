/** Every place in the sources that writes bytes to a file by itself is known, so that none destroys a file on a full disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = new URL('../../src/', import.meta.url).pathname;
const WRITES =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|truncate|ftruncate|truncateSync)\(/;

/** Writes to a name of its own and renames it, or makes a file that did not exist: a failure leaves the old file. */
const IN_ONE_STEP = /\brename(?:Sync)?\(|'wx'|\bputInPlace\(/;

/** Why the others lose nothing when a write fails in the middle. */
const KNOWN: Readonly<Record<string, string>> = {
  'models/onnx/files/download.ts': '.part, checked by its hash and renamed by model-folder.ts',
  'drivers/sqlite/maintenance/rescue.ts': 'a copy of the damaged database, never the database',
  'drivers/sqlite/maintenance/examine-log.ts':
    'cuts off the damaged part of a log after a copy of it was put aside',
  'drivers/sqlite/maintenance/transplant.ts': 'a copy of the damaged database, never the database',
  'conversation/memory-md/memory-file-journal.ts':
    'cuts off what nobody was promised, under the lock of the document',
  'administration/migration-note.ts': 'a note that is ignored when it cannot be read',
  'surfaces/http/watch/audit-trail.ts': 'only adds lines; a torn one is ignored',
};

it('writes to files only through documents, or in a way that is listed here', () => {
  const found = readdirSync(SOURCES, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('documents/'))
    .filter(
      (name) =>
        !/inspector\/page|surfaces\/cli\/(?:terminal|show\/(?!log)|commands\/(?:start|run))/.test(name),
    )
    .filter((name) =>
      WRITES.test(readFileSync(join(SOURCES, name), 'utf8').replace(/^import [\s\S]*?;$/gm, '')),
    );
  const bare = found.filter((name) => !IN_ONE_STEP.test(readFileSync(join(SOURCES, name), 'utf8')));
  expect(bare.sort()).toEqual(Object.keys(KNOWN).sort());
});
