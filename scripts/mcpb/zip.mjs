// Writes a zip file: names, deflated contents and the directory at its end, as every program that reads zip expects them.
import { crc32, deflateRawSync } from 'node:zlib';

/** 1980-01-01, so that the same files give the same bytes. */
const DATE = 0x0021;
const UTF8 = 0x0800;

/** @param {readonly { name: string, data: Buffer, executable?: boolean }[]} files */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data, executable = false } of files) {
    const path = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, packed]);
    const rest = Buffer.alloc(14);
    // The mode of a file on Unix stands in the upper half of its attributes.
    rest.writeUInt32LE(((executable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made on Unix.
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, path]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
