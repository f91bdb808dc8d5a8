/** Every place in the sources that writes bytes to a file by itself is known, so that none destroys a file on a full disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = new URL('../../src/', import.meta.url).pathname;
const WRITES =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|truncate|ftruncate|truncateSync)\(/;

/** What each of them does so that a failure in the middle leaves the old file: everything else uses `documents`. */
const KNOWN: Readonly<Record<string, string>> = {
  'auth/server-mark.ts': 'a new file with a name of its own; a torn one is ignored',
  'workspace/git-ignore.ts': 'a new file; removed again when it could not be written',
  'models/onnx/files/model-folder.ts': '.part, synced, checked by its hash, then renamed',
  'models/onnx/files/download.ts': '.part, synced, checked by its hash, then renamed',
  'drivers/sqlite/maintenance/rescue.ts': 'a copy of the damaged database, never the database',
  'drivers/sqlite/maintenance/transplant.ts': 'a copy of the damaged database, never the database',
  'surfaces/cli/show/log/export.ts': '.part and renamed, or a new file that is removed again',
  'surfaces/cli/commands/mcp/settings-file.ts':
    'a draft, flushed, then renamed; the old file is copied first',
  'conversation/memory-md/memory-file-journal.ts':
    'cuts off what nobody was promised, under the lock of the document',
  'learning/review-notes.ts': '.new and renamed; a torn note is ignored, the words are in the log',
  'transfer/archive/write-archive.ts': '.part, synced, then renamed or linked',
  'ports/files.ts': 'the interface itself',
  'testing/faulty-files.ts': 'passes on what it was asked for',
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
  expect(found.sort()).toEqual(Object.keys(KNOWN).sort());
});
