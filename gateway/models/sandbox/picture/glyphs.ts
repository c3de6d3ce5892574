import { brotliDecompressSync } from "node:zlib";

const headerBytes = 48;
const cmapTag = 0;
const tagFollows = 63;
const glyfTags = [10, 11];

/** Tests whether a WOFF2 font has a glyph for a code point. Read from its `cmap` table. */
export function glyphTest(font: Buffer): (codePoint: number) => boolean {
  const table = cmapOf(font);
  const ranges = table ? rangesOf(table) : [];
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

function cmapOf(font: Buffer): Buffer | null {
  const tables = font.readUInt16BE(12);
  let cursor = headerBytes;
  let offset = 0;
  let found: [number, number] | null = null;
  const base128 = () => {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = font.readUInt8(cursor++);
      value = value * 128 + (byte & 127);
      if (byte < 128) break;
    }
    return value;
  };
  for (let index = 0; index < tables; index++) {
    const flags = font.readUInt8(cursor++);
    const tag = flags & 63;
    if (tag === tagFollows) cursor += 4;
    let length = base128();
    const version = flags >> 6;
    if (glyfTags.includes(tag) ? version !== 3 : version !== 0) length = base128();
    if (tag === cmapTag) found = [offset, length];
    offset += length;
  }
  if (!found) return null;
  const data = brotliDecompressSync(font.subarray(cursor, cursor + font.readUInt32BE(20)));
  return data.subarray(found[0], found[0] + found[1]);
}

function rangesOf(cmap: Buffer): [number, number][] {
  const ranges: [number, number][] = [];
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    const format = table.readUInt16BE(0);
    if (format === 12)
      for (let group = 0; group < table.readUInt32BE(12); group++)
        ranges.push([table.readUInt32BE(16 + group * 12), table.readUInt32BE(20 + group * 12)]);
    if (format === 4) {
      const doubled = table.readUInt16BE(6);
      for (let place = 0; place < doubled; place += 2) {
        const last = table.readUInt16BE(14 + place);
        if (last !== 0xffff) ranges.push([table.readUInt16BE(16 + doubled + place), last]);
      }
    }
  }
  return ranges;
}
