import { setBounded } from "#gateway/platform/core/remembered.ts";
import type { Id } from "./id.ts";

const firstSizeBytes = 16_384;
/** Room for a length is reserved before the length is known. These bytes are enough for 256 MB. */
const lengthBytes = 4;
/** Up to this size a text's length takes one byte, and so does that of the message around it. */
const shortText = 63;
/** Up to this size a loop writes a text faster than a native call. */
const loopedText = 16;
/** The names of attributes come from our code, so there are few. */
const maxKeys = 500;
const twoTo32 = 2 ** 32;

/**
 * Writes protobuf field by field into a reused buffer, so that a span leaves no objects behind. Most texts
 * are short and ASCII.
 */
export class ProtoWriter {
  private bytes = Buffer.allocUnsafeSlow(firstSizeBytes);
  private at = 0;

  get size(): number {
    return this.at;
  }

  /** The content written since the last `clear`. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  clear(): void {
    this.at = 0;
  }

  /** Copies encoded fields. */
  raw(written: Buffer): void {
    this.reserve(written.length);
    this.bytes.set(written, this.at);
    this.at += written.length;
  }

  /** Begins a message; pass the result to `end`. */
  begin(field: number): number {
    this.reserve(lengthBytes + 2);
    this.tag(field, 2);
    this.at += lengthBytes;
    return this.at;
  }

  /** `more`: bytes that are sent after this content and belong to the message. */
  end(begun: number, more = 0): void {
    let length = this.at - begun + more;
    for (let place = begun - lengthBytes; place < begun - 1; place += 1) {
      this.bytes[place] = (length & 0x7f) | 0x80;
      length >>>= 7;
    }
    this.bytes[begun - 1] = length;
  }

  varint(field: number, value: number): void {
    this.reserve(12);
    this.tag(field, 0);
    this.number(value);
  }

  /** Milliseconds since 1970, written as nanoseconds. */
  time(field: number, ms: number): void {
    this.fixed64(field, ms * 1e6);
  }

  fixed64(field: number, value: number): void {
    this.reserve(10);
    this.tag(field, 1);
    const high = Math.floor(value / twoTo32);
    this.little(Math.floor(value - high * twoTo32));
    this.little(high);
  }

  fixed32(field: number, value: number): void {
    this.reserve(6);
    this.tag(field, 5);
    this.little(value);
  }

  double(field: number, value: number): void {
    this.reserve(10);
    this.tag(field, 1);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  text(field: number, text: string): void {
    this.reserve(2);
    this.tag(field, 2);
    if (!this.shortAscii(text)) this.longText(text);
  }

  /**
   * A key and its text in the form of attributes: a message of both, with the text in a message of its own.
   * They are most of the written data, so short ones avoid `begin` and `end`. Returns false, and writes
   * nothing, if they are not short and ASCII.
   */
  pair(field: number, key: string, text: string): boolean {
    const written = keyOf(key);
    if (written.length > shortText || text.length > shortText - 4 || field > 15) return false;
    this.reserve(written.length + maxBytesOf(text) + 6);
    const { bytes, at } = this;
    const value = at + 2 + written.length;
    if (!this.ascii(text, value + 4)) return false;
    bytes[at] = (field << 3) | 2;
    bytes[at + 1] = written.length + text.length + 4;
    bytes.set(written, at + 2);
    bytes[value] = (2 << 3) | 2;
    bytes[value + 1] = text.length + 2;
    bytes[value + 2] = (1 << 3) | 2;
    bytes[value + 3] = text.length;
    this.at = value + 4 + text.length;
    return true;
  }

  /** The key of an attribute. */
  key(key: string): void {
    this.raw(keyOf(key));
  }

  id(field: number, { bytes, at, length }: Id): void {
    this.reserve(length + 3);
    this.tag(field, 2);
    this.bytes[this.at++] = length;
    for (let place = at; place < at + length; place += 1) this.bytes[this.at++] = bytes[place] as number;
  }

  /** Writes hexadecimal digits as bytes. */
  hex(field: number, digits: string): void {
    const count = digits.length >> 1;
    this.reserve(count + 2);
    this.tag(field, 2);
    this.bytes[this.at++] = count;
    for (let place = 0; place < digits.length; place += 2)
      this.bytes[this.at++] = (nibble(digits.charCodeAt(place)) << 4) | nibble(digits.charCodeAt(place + 1));
  }

  private tag(field: number, wire: number): void {
    this.number((field << 3) | wire);
  }

  private number(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.at++] = rest;
  }

  private little(value: number): void {
    const { bytes, at } = this;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
    this.at = at + 4;
  }

  /** Returns false, and writes nothing, if the text is not short and ASCII. */
  private shortAscii(text: string): boolean {
    const { length } = text;
    if (length > shortText) return false;
    this.reserve(maxBytesOf(text) + 1);
    if (!this.ascii(text, this.at + 1)) return false;
    this.bytes[this.at] = length;
    this.at += 1 + length;
    return true;
  }

  /** Requires room for the longest possible UTF-8 form of `text`. */
  private ascii(text: string, at: number): boolean {
    const { bytes } = this;
    if (text.length > loopedText) return bytes.write(text, at) === text.length;
    for (let place = 0; place < text.length; place += 1) {
      const code = text.charCodeAt(place);
      if (code > 0x7f) return false;
      bytes[at + place] = code;
    }
    return true;
  }

  private longText(text: string): void {
    const length = Buffer.byteLength(text);
    this.reserve(length + 8);
    this.number(length);
    this.at += this.bytes.write(text, this.at);
  }

  private reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + more));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
  }
}

/** In UTF-8. */
function maxBytesOf(text: string): number {
  return text.length * 3;
}

const keys = new Map<string, Buffer>();

/** An attribute's key in encoded form: encoded once, then copied. */
function keyOf(key: string): Buffer {
  const known = keys.get(key);
  if (known) return known;
  const to = new ProtoWriter();
  to.text(1, key);
  const written = Buffer.from(to.written);
  setBounded(keys, key, written, maxKeys);
  return written;
}

function nibble(code: number): number {
  return code < 58 ? code - 48 : (code | 0x20) - 87;
}
