// Asks a Keepsake server of the workspace to answer a hook: a small program, because loading the whole one takes longer than the answer.
'use strict';
const { isUtf8 } = require('node:buffer');
const { closeSync, constants, existsSync, fstatSync, openSync, readdirSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join, resolve } = require('node:path');

/** Those that are answered within a moment. The others go on for minutes, in a process of their own. */
const QUICK = ['session-start', 'user-prompt-submit', 'post-tool-use', 'post-compact'];
/** What the server compares with its own, to be sure that it has the workspace open that is meant. */
const TELLING = /^(?:KEEPSAKE_|MEMORY_|(?:HOME|USERPROFILE|WORKSPACE_DIR|CLAUDE_PROJECT_DIR)$)/;
/** A server that hangs accepts nothing. */
const ACCEPT_MS = 250;
/** Beyond what the server itself allows. */
const GRACE_MS = 500;
/** The client writes at once. */
const STDIN_MS = 1_000;
/** Longer inputs are rare, and a server that reads them answers nobody else meanwhile. */
const MOST_QUESTION = 4 * 1024 * 1024;
const MOST_INPUT = 64 * 1024 * 1024;
/** Servers that were killed leave their sockets until the next one starts. */
const MOST_SOCKETS = 4;

/** @typedef {{ event: string, agent?: string, workspace?: string, perProject: boolean }} Call */
/** @typedef {{ isAnswered: true, stdin?: undefined } | { isAnswered?: false, stdin?: Buffer }} Asked */

/** Only what clients are set up with; anything else is for the command line to judge. @param {string[]} args @returns {Call | undefined} */
function readCall([, event = '', ...flags]) {
  if (!QUICK.includes(event)) return undefined;
  /** @type {Call} */
  const call = { event, perProject: false };
  for (let i = 0; i < flags.length; i++) {
    const [flag = '', ...rest] = (flags[i] ?? '').split('=');
    if (flags[i] === '--per-project') {
      call.perProject = true;
      continue;
    }
    const value = rest.length > 0 ? rest.join('=') : flags[++i];
    if (flag === '--agent' && value) call.agent = value;
    else if (flag === '--workspace' && value) call.workspace = value;
    else return undefined;
  }
  return call;
}

/** Where the workspace most likely is; the server makes sure. @param {Call} call @param {NodeJS.ProcessEnv} env @param {string} cwd */
function guessWorkspace({ workspace, perProject }, env, cwd) {
  if (workspace !== undefined) {
    const path = resolve(cwd, workspace);
    return /\.jsonc?$/.test(path) ? dirname(path) : path;
  }
  const start = resolve(cwd, (perProject && env.CLAUDE_PROJECT_DIR) || '.');
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'keepsake.jsonc')) || existsSync(join(folder, 'keepsake.json')))
      return folder;
    if (folder === dirname(folder)) break;
  }
  return resolve(cwd, env.WORKSPACE_DIR || join(env.HOME || env.USERPROFILE || homedir(), '.keepsake'));
}

/** The folder of sockets, if nobody but this user can put one there. Held open, so that it stays the same one. @param {string} path */
function openFolder(path) {
  /** @type {number} */
  let handle;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  const { uid, mode } = fstatSync(handle);
  const isOurs = uid === process.getuid?.() && (mode & 0o077) === 0;
  const reached = process.platform === 'linux' ? `/proc/self/fd/${handle}` : path;
  if (isOurs) return { handle, path: reached };
  closeSync(handle);
  return undefined;
}

/** Of the servers that run, the one that started last comes first. @param {string} folder */
function socketsIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sock'));
  return names.sort().reverse().slice(0, MOST_SOCKETS);
}

/** Undefined if it does not end in time. @returns {Promise<Buffer | undefined>} */
function readStdin() {
  return new Promise((done, fail) => {
    /** @type {Buffer[]} */
    const parts = [];
    let size = 0;
    const end = () => {
      clearTimeout(timer);
      done(Buffer.concat(parts));
    };
    const timer = setTimeout(done, STDIN_MS, undefined);
    process.stdin.on('error', fail);
    process.stdin.on('end', end);
    process.stdin.on('data', (part) => {
      parts.push(part);
      size += part.length;
      // The command line refuses it, too.
      if (size > MOST_INPUT) process.stdin.destroy().removeListener('end', end) && end();
    });
  });
}

/** @param {string} line */
function readMessage(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * What the server at this path prints for the hook. False: it does not answer such a question; undefined: it does not answer in time.
 * @param {string} path @param {string} question @param {number} acceptMs
 * @returns {Promise<{ stdout: string, note?: string } | false | undefined>}
 */
function ask(path, question, acceptMs) {
  return new Promise((done) => {
    const socket = require('node:net').connect(path);
    /** @param {{ stdout: string, note?: string } | false | undefined} answer */
    const end = (answer) => {
      clearTimeout(timer);
      socket.destroy();
      done(answer);
    };
    let timer = setTimeout(end, acceptMs, undefined);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(question));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('data', (part) => {
      text += part;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
        const message = readMessage(text.slice(0, at));
        text = text.slice(at + 1);
        if (typeof message?.stdout === 'string') return end(message);
        if (typeof message?.accepted !== 'number') return end(false);
        clearTimeout(timer);
        timer = setTimeout(end, message.accepted + GRACE_MS, undefined);
      }
    });
  });
}

/** @param {string} folder @param {string[]} names @param {string} question */
async function askAll(folder, names, question) {
  const end = performance.now() + ACCEPT_MS;
  for (const name of names) {
    const left = end - performance.now();
    const answer = left > 0 ? await ask(join(folder, name), question, left) : undefined;
    if (answer !== false) return answer;
  }
  return undefined;
}

/** Answers the hook if a server does. Else says what was read from stdin, for the command line. @param {string[]} args @param {string} version @returns {Promise<Asked>} */
async function askServer(args, version) {
  const call = readCall(args);
  if (call === undefined || process.platform === 'win32') return {};
  const { env } = process;
  const cwd = process.cwd();
  const folder = openFolder(join(guessWorkspace(call, env, cwd), 'data', 'sockets'));
  if (folder === undefined) return {};
  /** @type {Buffer | undefined} */
  let stdin;
  try {
    const names = socketsIn(folder.path);
    if (names.length === 0 || process.stdin.isTTY) return {};
    stdin = await readStdin();
    if (stdin === undefined) return give(call.event, 'stdin did not end.');
    if (stdin.length > MOST_QUESTION || !isUtf8(stdin)) return { stdin };
    const telling = Object.fromEntries(Object.entries(env).filter(([name]) => TELLING.test(name)));
    const question = { ...call, version, cwd, env: telling, input: stdin.toString() };
    const answer = await askAll(folder.path, names, `${JSON.stringify(question)}\n`);
    if (answer === undefined) return { stdin };
    process.stdout.write(answer.stdout);
    if (answer.note !== undefined) process.stderr.write(`keepsake hook: ${answer.note}\n`);
    return { isAnswered: true };
  } catch {
    // The command line says what is wrong.
    return stdin === undefined ? {} : { stdin };
  } finally {
    closeSync(folder.handle);
  }
}

/** Nothing, with the reason for whoever reads the log. @param {string} event @param {string} note @returns {Asked} */
function give(event, note) {
  process.stderr.write(`keepsake hook: ${note}\n`);
  // Claude Code shows what this one prints.
  if (event !== 'post-compact') process.stdout.write('{}\n');
  process.exit(0);
}

module.exports = { askServer };
