import { randomFillSync } from "node:crypto";

/** Random bytes are drawn in bulk, because each draw costs more than its bytes. */
const drawnBytes = 4_096;

/** The bytes of many ids, and their hexadecimal digits, which are all written when the first are needed. */
class Bytes {
  readonly bytes: Buffer;
  private text: string | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  digits(at: number, length: number): string {
    this.text ??= this.bytes.toString("hex");
    return this.text.slice(at * 2, (at + length) * 2);
  }
}

let drawn = new Bytes(Buffer.alloc(0));
let used = 0;

/** A trace or span id: bytes that are sent unchanged, and digits only if they are read. */
export class Id {
  readonly at: number;
  readonly length: number;
  private readonly of: Bytes;

  private constructor(of: Bytes, at: number, length: number) {
    this.of = of;
    this.at = at;
    this.length = length;
  }

  static random(length: number): Id {
    if (used + length > drawn.bytes.length) {
      // Allocates new bytes instead of reusing these, because existing ids still refer to them.
      drawn = new Bytes(randomFillSync(Buffer.allocUnsafeSlow(drawnBytes)));
      used = 0;
    }
    used += length;
    return new Id(drawn, used - length, length);
  }

  static of(digits: string): Id {
    const bytes = Buffer.from(digits, "hex");
    return new Id(new Bytes(bytes), 0, bytes.length);
  }

  get bytes(): Buffer {
    return this.of.bytes;
  }

  get digits(): string {
    return this.of.digits(this.at, this.length);
  }
}
