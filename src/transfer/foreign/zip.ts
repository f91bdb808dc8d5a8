/** Reads single entries of a ZIP file, as exports come in: stored or deflated, with the directory at its end. */
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { KeepsakeError } from '../../kernel/errors.ts';

const inflate = promisify(inflateRaw);

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LONGEST_COMMENT = 65_535;
/** Marks a number that stands elsewhere, in archives beyond 4 GB. */
const ELSEWHERE = 0xffff_ffff;

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  read(): Promise<Buffer>;
}

function unreadable(file: string, problem: string): KeepsakeError {
  return new KeepsakeError('CORRUPT', `${file} cannot be unpacked: ${problem}.`, {
    hint: 'Unpack it yourself and import the file inside it.',
  });
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function findDirectory(handle: FileHandle, file: string): Promise<Buffer> {
  const { size } = await handle.stat();
  const tailLength = Math.min(size, END_LENGTH + LONGEST_COMMENT);
  const tail = await readAt(handle, size - tailLength, tailLength);
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue;
    const length = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    if (length === ELSEWHERE || offset === ELSEWHERE) throw unreadable(file, 'it is larger than 4 GB');
    return readAt(handle, offset, length);
  }
  throw unreadable(file, 'it has no directory');
}

/** The directory again says where the data is; the head in front of it may be of another length. */
async function readEntry(
  file: string,
  { offset, packed, size, method, crc }: Record<'offset' | 'packed' | 'size' | 'method' | 'crc', number>,
): Promise<Buffer> {
  const handle = await open(file);
  try {
    const head = await readAt(handle, offset, 30);
    const start = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    const data = await readAt(handle, start, packed);
    // The announced size is the most that is unpacked: a small file must not fill the memory.
    const bytes = method === 0 ? data : await inflate(data, { maxOutputLength: Math.max(size, 1) });
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error('the checksum is wrong');
    return bytes;
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  } finally {
    await handle.close();
  }
}

export async function readZip(file: string): Promise<readonly ZipEntry[]> {
  const handle = await open(file);
  try {
    const directory = await findDirectory(handle, file);
    const entries: ZipEntry[] = [];
    for (let at = 0; at + ENTRY_LENGTH <= directory.length && directory.readUInt32LE(at) === ENTRY; ) {
      const nameLength = directory.readUInt16LE(at + 28);
      const name = directory.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength);
      const flags = directory.readUInt16LE(at + 8);
      const facts = {
        method: directory.readUInt16LE(at + 10),
        crc: directory.readUInt32LE(at + 16),
        packed: directory.readUInt32LE(at + 20),
        size: directory.readUInt32LE(at + 24),
        offset: directory.readUInt32LE(at + 42),
      };
      const isReadable = (facts.method === 0 || facts.method === 8) && (flags & 1) === 0;
      entries.push({
        name,
        size: facts.size,
        read: () =>
          isReadable
            ? readEntry(file, facts)
            : Promise.reject(unreadable(file, `${name} is encrypted or packed in another way`)),
      });
      at += ENTRY_LENGTH + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    }
    return entries;
  } finally {
    await handle.close();
  }
}
