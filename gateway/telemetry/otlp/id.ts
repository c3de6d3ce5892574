import { randomFillSync } from "node:crypto";

/** Random bytes are drawn many at once: each draw costs more than its bytes. */
const drawnBytes = 4_096;
let drawn = Buffer.alloc(0);
let used = 0;

/** An id of a trace or span: bytes that are sent as they are, and digits only where somebody reads them. */
export class Id {
  readonly bytes: Buffer;
  readonly at: number;
  readonly length: number;
  private text: string | null = null;

  private constructor(bytes: Buffer, at: number, length: number) {
    this.bytes = bytes;
    this.at = at;
    this.length = length;
  }

  static random(length: number): Id {
    if (used + length > drawn.length) {
      // Ids that were made of the bytes before still refer to them.
      drawn = randomFillSync(Buffer.allocUnsafeSlow(drawnBytes));
      used = 0;
    }
    used += length;
    return new Id(drawn, used - length, length);
  }

  static of(digits: string): Id {
    const bytes = Buffer.from(digits, "hex");
    return new Id(bytes, 0, bytes.length);
  }

  get digits(): string {
    this.text ??= this.bytes.toString("hex", this.at, this.at + this.length);
    return this.text;
  }
}
