/** The package as a stranger gets it: packed by npm, unpacked elsewhere, imported, type-checked and started. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** A library on top of Keepsake that exports what it gets, without naming a type. */
const LIBRARY = `import { ContextCompressor, createClient } from 'keepsake';
export const client = createClient({ workspace: 'here' });
export const agent = client.agent({ name: 'anna' });
export const { memory, sections } = agent;
export const open = () => client.open();
export const engine = async () => {
  const { conversations, storage, records, config } = await client.open();
  return { conversations, storage, config };
};
export const remembering = async () => [
  await memory.add({ content: 'x' }), await memory.search('x', { limit: 3 }), await memory.list(),
  await memory.get('x'), await memory.update('x', {}), await memory.forget('x'), await memory.history('x'),
  await memory.undo('x'), await memory.outline(), await client.memory.list(), await client.memory.stats(),
  await client.events.read(), await client.agents.list(), await client.log.list(), await client.knowledge.list(),
  await client.guard.list(), await client.guard.get('x'), await client.guard.release('x'), await client.guard.remove('x'),
  await client.guard.scan('x'), await client.notes.index(),
] as const;
export const noting = async () => [
  await sections.save('a', 'b'), await sections.append('a', 'b'), await sections.get('a'),
  await sections.list(), await sections.remove('a'), await sections.index(),
] as const;
export const { archive, knowledge, log, notes } = agent;
export const reading = async () => [
  await archive.list(), await archive.get('a'), await archive.search('a'), await archive.diff('a'),
  await archive.restore('a'), await knowledge.add('a'), await knowledge.search('a'), await knowledge.store('a'),
  await knowledge.refresh(), await knowledge.remove('a'), await log.get(), await log.search('a'), await log.export(),
  await log.import('a'), await log.compact(), await notes.index(),
] as const;
export const talking = async () => {
  const chat = await agent.shortMemory;
  return [
    chat, await chat.add('User', 'x'), await chat.messages(), await chat.startUp(), await chat.toDict(),
    await chat.toMessages(), await chat.search('x'), await chat.searchKeyword('x'), await chat.moreContext(),
    await chat.compact({ summary: 'x' }), await chat.clear(), chat.archives, await chat.archives.list(),
    await chat.archives.search('x'), await chat.archives.messages('x'), await agent.compressIfNeeded(),
    await agent.contextCompressor, await new ContextCompressor().measure(chat),
  ] as const;
};
`;

let project: string;
/** Another one, of somebody who has the frameworks too. */
let frameworks: string;
let packed: string[];
const ADAPTERS = readdirSync(join(root, 'src/adapters'))
  .filter((name) => existsSync(join(root, 'src/adapters', name, 'index.ts')))
  .map((name) => `./${name}`);

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'keepsake-consumer-'));
  // The build is fresh already (see scripts/setup/vitest-build.mjs), so prepack is left out.
  const pack = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [tarball] = JSON.parse(pack) as { filename: string; files: { path: string }[] }[];
  packed = tarball!.files.map(({ path }) => path);

  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'keepsake'), { recursive: true });
  execFileSync('tar', [
    '-xzf',
    join(project, tarball!.filename),
    '-C',
    join(modules, 'keepsake'),
    '--strip-components=1',
  ]);
  // Only what npm would install for a user, and Node's types: a leak of a development package must show.
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  frameworks = join(project, 'frameworks');
  const theirs = join(frameworks, 'node_modules');
  mkdirSync(theirs, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !each.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name), join(theirs, name));
  cpSync(join(modules, 'keepsake'), join(theirs, 'keepsake'), { recursive: true });
  writeFileSync(join(frameworks, 'package.json'), '{ "type": "module" }');
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe('the packed package', () => {
  it('holds the program, the schema and the documents a user needs, and nothing else', () => {
    const known = /^(dist|bin|schema|models|docs|examples|integrations|\.claude-plugin)\//;
    const outside = packed.filter((path) => !known.test(path)).sort();
    expect(outside).toEqual([
      ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
      'package.json',
    ]);
    expect(packed.filter((path) => /^models\//.test(path)).sort()).toEqual([
      'models/guard/NOTICE.md',
      'models/guard/intent.bin',
      'models/guard/manifest.json',
      'models/late-interaction/NOTICE.md',
      'models/late-interaction/minilm.f32',
      'models/static/NOTICE.md',
      'models/static/manifest.json',
      'models/static/table.bin',
      'models/static/vocabulary.index',
      'models/static/vocabulary.txt',
    ]);
    const others = packed.filter((path) => /^dist\//.test(path) && !/(\.js|\.cjs|\.d\.ts)$/.test(path));
    expect(others.sort()).toEqual([
      'dist/LICENSES.txt',
      ...['dist/inspector/icon.svg', 'dist/inspector/inspector.css', 'dist/inspector/page.css'],
    ]);
    expect(packed.filter((path) => /^(bin|schema)\//.test(path)).sort()).toEqual([
      'bin/ask-server.cjs',
      'bin/keepsake.js',
      'schema/keepsake.schema.json',
    ]);
  });

  it('holds the guides, the examples and the plugin as they are, and no page has a link that leads nowhere', () => {
    const pages = packed.filter((path) => path.endsWith('.md') && !path.startsWith('models/'));
    for (const page of ['docs/guides/postgres.md', 'docs/reference/sdk.md', 'examples/assistant/README.md'])
      expect(pages).toContain(page);
    expect(packed).toContain('integrations/claude-code/.mcp.json');
    expect(packed).toContain('.claude-plugin/marketplace.json');
    const folder = join(project, 'node_modules/keepsake');
    const broken = pages.flatMap((page) => {
      const links = [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
      // Pictures stay in the repository: they would be a tenth of the package.
      return links
        .map(([, target]) => join(dirname(page), target!))
        .filter((target) => !target.endsWith('.png') && !existsSync(join(folder, target)))
        .map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it('holds the types of every source and few files of code', () => {
    // What runs in a browser is one script.
    const sources = readdirSync(join(root, 'src'), { encoding: 'utf8', recursive: true }).filter(
      (name) => name.endsWith('.ts') && !name.startsWith('surfaces/inspector/page/'),
    );
    const types = packed.filter((path) => /^dist\/.*\.d\.ts$/.test(path));
    expect(types.sort()).toEqual(sources.map((name) => `dist/${name.replace(/\.ts$/, '.d.ts')}`).sort());
    const code = packed.filter((path) => /^dist\/.*js$/.test(path));
    expect(
      code.filter((path) => !/^dist\/(?:bundle\/[^/]+\.cjs|sdk\/(?:adapters\/)?[^/]+\.js)$/.test(path)),
    ).toEqual(['dist/inspector/app.js']);
    expect(code).toEqual(expect.arrayContaining(['dist/bundle/main.cjs', 'dist/sdk/onnx-worker.js']));
  });

  const runIn = (cwd: string, program: string, ...nodeArgs: string[]) =>
    spawnSync(process.execPath, [...nodeArgs, '--input-type=module', '--eval', program], {
      cwd,
      encoding: 'utf8',
    });
  /** Runs a program in the project. */
  const runProgram = (program: string, ...nodeArgs: string[]) => runIn(project, program, ...nodeArgs);
  /** An adapter is imported by those who have its framework. */
  const folderFor = (name: string) => (ADAPTERS.includes(name) ? frameworks : project);

  it('can be imported by every name that it exports', () => {
    for (const name of Object.keys(manifest.exports)) {
      const specifier = JSON.stringify(join('keepsake', name));
      const attributes = name.endsWith('.json') ? ", { with: { type: 'json' } }" : '';
      const { status, stderr } = runIn(folderFor(name), `await import(${specifier}${attributes})`);
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
    }
  });

  it('has one error class for all that it exports, and classes that go by their names', () => {
    const { stdout, stderr } = runProgram(`
      import * as keepsake from 'keepsake';
      import { openSqlite } from 'keepsake/drivers/sqlite';
      const open = async () => openSqlite({ file: 'package.json' });
      const failure = await open().catch((error) => error);
      const classes = Object.entries(keepsake).filter(([, value]) => /^class\\b/.test(String(value)));
      console.log(JSON.stringify({
        isOurs: failure instanceof keepsake.KeepsakeError,
        classes: classes.map(([name, value]) => [name, value.name]),
      }));`);
    expect(stderr).toBe('');
    const { isOurs, classes } = JSON.parse(stdout) as { isOurs: boolean; classes: [string, string][] };
    expect(isOurs).toBe(true);
    expect(classes.map(([name]) => name)).toEqual(expect.arrayContaining(['Agent', 'KeepsakeError']));
    expect(classes.filter(([name, own]) => own !== name)).toEqual([]);
  });

  it('loads few files, no database and no optional package before one is needed', () => {
    const hook = `data:text/javascript,${encodeURIComponent(
      `import { registerHooks } from 'node:module';
       registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });`,
    )}`;
    const { stdout } = runProgram("await import('keepsake')", '--import', hook);
    const loaded = stdout
      .split('\n')
      .filter((url) => url.startsWith('file:') && url.includes('node_modules'));
    expect(loaded.filter((url) => !url.includes('/keepsake/dist/sdk/'))).toEqual([]);
    expect(loaded.length).toBeLessThan(6);
    // Node's own client of the web takes as long as all of these together.
    expect(stdout).not.toContain('node:http');
  });

  it('refuses an old Node before anything else', () => {
    const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})';
    for (const name of Object.keys(manifest.exports).filter((each) => !each.endsWith('.json'))) {
      const { stderr } = runIn(
        folderFor(name),
        `await import(${JSON.stringify(join('keepsake', name))})`,
        '--import',
        old,
      );
      expect(stderr).toContain('Keepsake needs Node 22.14 or newer, and this is Node 20.20.2.');
    }
  });

  it('carries types that a strict project understands without skipLibCheck, and that refuse wrong use', () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['consumer.ts', 'wrong.ts'] }),
    );
    // The types of a framework may need skipLibCheck; those of adapters are checked in test/adapters and test/frameworks.
    const names = Object.keys(manifest.exports).filter(
      (name) => !name.endsWith('.json') && !ADAPTERS.includes(name),
    );
    const imports = names.map(
      (name, index) => `import * as m${index} from ${JSON.stringify(join('keepsake', name))};`,
    );
    const use = `export const all = [${names.map((_, index) => `m${index}`).join(', ')}];`;
    writeFileSync(join(project, 'consumer.ts'), `${imports.join('\n')}\n${use}\n`);
    const wrong = "import { nothingOfThatName } from 'keepsake';\nnothingOfThatName();\n";
    writeFileSync(join(project, 'wrong.ts'), wrong);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    const told = stdout.trim().split('\n');
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/wrong\.ts\(1,10\): error TS\d+: .*'nothingOfThatName'/);
  });

  it('carries types for a library that emits its own, in a project without the types of Node', () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: 'out',
    };
    const modules = join(project, 'bare/node_modules');
    mkdirSync(modules, { recursive: true });
    for (const name of ['keepsake', ...Object.keys(manifest.dependencies)]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(project, 'node_modules', name), join(modules, name));
    }
    writeFileSync(join(project, 'bare/package.json'), '{ "type": "module" }');
    writeFileSync(
      join(project, 'bare/tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['library.ts'] }),
    );
    // Every type here is inferred, so the compiler has to find a public name for it.
    writeFileSync(join(project, 'bare/library.ts'), LIBRARY);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const args = [compiler, '-p', join(project, 'bare'), '--preserveSymlinks'];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('carries types for CommonJS, which loads it with require', () => {
    const folder = join(frameworks, 'common');
    mkdirSync(folder);
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2024', types: ['node'], strict: true, skipLibCheck: true },
      noEmitOnError: false,
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.cts'] }));
    const names = ['keepsake/ai-sdk', 'keepsake/mem0', 'keepsake/drivers/sqlite', 'keepsake/testing'];
    const program = `import { createClient, type Client } from 'keepsake';
${names.map((name, index) => `import m${index} = require(${JSON.stringify(name)});`).join('\n')}
const client: Client = createClient({ workspace: ${JSON.stringify(join(folder, 'workspace'))} });
void (async () => {
  const { memory } = client.agent({ name: 'ada' });
  const added = await memory.add({ content: 'The dog is called Bell.' });
  const id: string = added.id;
  // @ts-expect-error A search takes a text.
  void (() => memory.search(7));
  const [hit] = await memory.search('What is the dog called?');
  console.log(hit?.id === id, [${names.map((_, index) => `m${index}`).join(', ')}].length);
  await client.close();
})();
`;
    writeFileSync(join(folder, 'app.cts'), program);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const compiled = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    expect(compiled.stdout).toBe('');
    const run = spawnSync(process.execPath, [join(folder, 'app.cjs')], { cwd: folder, encoding: 'utf8' });
    expect([run.stderr, run.stdout]).toEqual(['', 'true 4\n']);
  });

  it('starts its command line', () => {
    const program = join(project, 'node_modules/keepsake/bin/keepsake.js');
    const { status, stdout } = spawnSync(process.execPath, [program, '--help'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('memory');
  });
});
