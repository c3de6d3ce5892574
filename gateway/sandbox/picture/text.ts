import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";

const assets = path.join(import.meta.dirname, "..", "assets");
/** Replaces every character that no bundled font can draw. */
const neutral = "·";

const latinFirst = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);
/** All WOFF2 files in `assets/`; system fonts are never used, so that pictures are the same on all machines. */
const files = readdirSync(assets)
  .filter((name) => name.endsWith(".woff2"))
  .sort(latinFirst);
const familyOf = (file: string) => `Sandbox ${file}`;
const families = files.map((file) => `"${familyOf(file)}"`).join(",");
const loaded: ((codePoint: number) => boolean)[] = [];

/**
 * Whether a font can draw a character. Fonts are loaded until one can, because the largest, which is last,
 * takes a fifth of a picture's processor time.
 */
function covers(codePoint: number): boolean {
  for (const [at, file] of files.entries()) {
    const test = loaded[at] ?? load(file);
    if (test(codePoint)) return true;
  }
  return false;
}

function load(file: string): (codePoint: number) => boolean {
  const data = readFileSync(path.join(assets, file));
  GlobalFonts.register(data, familyOf(file));
  const test = glyphTest(data);
  loaded.push(test);
  return test;
}

/** Sets the size (pixels) and weight (100..900) of the following text, which is `drawable` or Latin. */
export function setFont(context: SKRSContext2D, size: number, weight: number): void {
  drawable("1…");
  context.font = `${size}px ${families}`;
  context.fontVariationSettings = `'wght' ${weight}`;
  context.textBaseline = "alphabetic";
}

/** The text that can be drawn: a dot for each character that no font has, no control characters. */
export function drawable(text: string): string {
  return [...text.normalize("NFC").replace(/\s+/g, " ")]
    .filter((character) => !/\p{C}/u.test(character))
    .filter((character) => !/\p{M}/u.test(character) || covers(character.codePointAt(0) ?? 0))
    .map((character) => (covers(character.codePointAt(0) ?? 0) ? character : neutral))
    .join("");
}

/** Breaks a text into at most `lines` lines that fit; text that does not fit ends in an ellipsis. */
export function wrap(context: SKRSContext2D, text: string, width: number, lines: number): string[] {
  const fits = (line: string) => context.measureText(line).width <= width;
  const result: string[] = [];
  let line = "";
  for (const word of drawable(text)
    .split(" ")
    .flatMap((part) => pieces(part, fits))) {
    const longer = line ? `${line} ${word}` : word;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    result.push(line);
    line = word;
    if (result.length === lines) break;
  }
  if (line && result.length < lines) result.push(line);
  else if (line) result[lines - 1] = shorten(result[lines - 1] ?? "", "…", fits, true);
  return result.filter(Boolean);
}

/** One line of text, cut with an ellipsis if it is too long. */
export function oneLine(context: SKRSContext2D, text: string, width: number): string {
  return shorten(drawable(text), "…", (line) => context.measureText(line).width <= width, false);
}

function shorten(text: string, end: string, fits: (line: string) => boolean, always: boolean): string {
  if (!always && fits(text)) return text;
  let rest = [...text];
  while (rest.length > 0 && !fits(rest.join("").trimEnd() + end)) rest = rest.slice(0, -1);
  return rest.join("").trimEnd() + end;
}

/** Breaks words that are longer than a line. */
function pieces(word: string, fits: (line: string) => boolean): string[] {
  if (fits(word)) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part && !fits(part + character)) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return part ? [...parts, part] : parts;
}

const headerBytes = 48;
const cmapTag = 0;
const tagFollows = 63;
const glyfTags = [10, 11];

/** Tests whether a WOFF2 font has a glyph for a code point. Read from its `cmap` table. */
function glyphTest(font: Buffer): (codePoint: number) => boolean {
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
