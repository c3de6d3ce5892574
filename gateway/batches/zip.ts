import { crc32 } from "node:zlib";

export interface ZipEntry {
  /** ASCII. */
  name: string;
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Entries are stored as they are: media do not get smaller. Sizes and checksums follow each entry. */
const version = 45;
const flags = 0x0008;
const stored = 0;
const max32 = 0xffff_ffff;
const max16 = 0xffff;
/** 1 January 2026, so that the same batch gives the same bytes. */
const date = ((2026 - 1980) << 9) | (1 << 5) | 1;

interface Written {
  name: Buffer;
  crc: number;
  sizeBytes: number;
  offset: number;
}

/**
 * A ZIP file, piece by piece: nothing but the list of its entries is held. An entry has less than 4 GiB; the file may be
 * larger and then has the records of ZIP64.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name, "latin1"), crc: 0, sizeBytes: 0, offset };
    const head = localHeader(entry);
    yield head;
    for await (const chunk of content) {
      entry.crc = crc32(chunk, entry.crc);
      entry.sizeBytes += chunk.length;
      yield chunk;
    }
    if (entry.sizeBytes > max32) throw new Error(`${name} is too large for a ZIP file`);
    const tail = descriptor(entry);
    yield tail;
    offset += head.length + entry.sizeBytes + tail.length;
    written.push(entry);
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield endOf(written.length, directory.length, offset);
}

function localHeader({ name }: Written): Buffer {
  return Buffer.concat([
    fields([4, 0x0403_4b50], ...common, [4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
    name,
  ]);
}

function descriptor({ crc, sizeBytes }: Written): Buffer {
  return fields([4, 0x0807_4b50], [4, crc], [4, sizeBytes], [4, sizeBytes]);
}

function directoryEntry({ name, crc, sizeBytes, offset }: Written): Buffer {
  const isFar = offset >= max32;
  const extra = isFar ? fields([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
  const head = fields(
    [4, 0x0201_4b50],
    [2, version],
    ...common,
    [4, crc],
    [4, sizeBytes],
    [4, sizeBytes],
    [2, name.length],
    [2, extra.length],
    // No comment, first disk, no attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, isFar ? max32 : offset],
  );
  return Buffer.concat([head, name, extra]);
}

/** Version, flags, method, time, date. */
const common: Field[] = [
  [2, version],
  [2, flags],
  [2, stored],
  [2, 0],
  [2, date],
];

function endOf(count: number, sizeBytes: number, offset: number): Buffer {
  const far =
    offset >= max32 || count >= max16
      ? [
          fields(
            [4, 0x0606_4b50],
            [8, 44],
            [2, version],
            [2, version],
            [4, 0],
            [4, 0],
            [8, count],
            [8, count],
            [8, sizeBytes],
            [8, offset],
          ),
          fields([4, 0x0706_4b50], [4, 0], [8, offset + sizeBytes], [4, 1]),
        ]
      : [];
  const end = fields(
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, max16)],
    [2, Math.min(count, max16)],
    [4, sizeBytes],
    [4, Math.min(offset, max32)],
    [2, 0],
  );
  return Buffer.concat([...far, end]);
}

/** The bytes of a number, and the number. */
type Field = [2 | 4 | 8, number];

function fields(...list: Field[]): Buffer {
  const buffer = Buffer.alloc(list.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of list) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}
