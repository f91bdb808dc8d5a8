/** ZIP files as other programs write them, with everything that the format allows around an entry. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly text: string;
  /** Without compression. */
  readonly stored?: boolean;
  readonly encrypted?: boolean;
  readonly method?: number;
  /** Bytes of further fields, of another length before the data than in the directory. */
  readonly extra?: number;
  readonly comment?: string;
  readonly crc?: number;
  readonly size?: number;
}

export function zipFile(parts: readonly ZipPart[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part.text);
    const data = part.stored ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(part.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(part.encrypted ? 1 : 0, 2);
    common.writeUInt16LE(part.method ?? (part.stored ? 0 : 8), 4);
    common.writeUInt32LE(part.crc ?? crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(part.size ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.from(common);
    local.writeUInt16LE(part.extra ?? 0, 24);
    const further = Buffer.alloc(part.extra ?? 0, 'e');
    locals.push(Buffer.concat([Buffer.from('PK\x03\x04'), local, name, further, data]));
    const central = Buffer.from(common);
    central.writeUInt16LE((part.extra ?? 0) * 2, 24);
    const said = Buffer.from(part.comment ?? '');
    const rest = Buffer.alloc(14);
    rest.writeUInt16LE(said.length, 0);
    rest.writeUInt32LE(offset, 10);
    const doubled = Buffer.alloc((part.extra ?? 0) * 2, 'f');
    entries.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), central, rest, name, doubled, said]),
    );
    offset += locals.at(-1)!.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)]);
}
