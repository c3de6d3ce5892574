import { hash } from "node:crypto";

/**
 * The conversation that a request belongs to: equal names are the same conversation, in every process. The
 * name is made and hashed only if something has to be drawn.
 */
export class Conversation {
  readonly #name: () => string;
  #digest: Buffer | null = null;

  constructor(name: () => string) {
    this.#name = name;
  }

  get digest(): Buffer {
    this.#digest ??= hash("sha256", this.#name(), "buffer");
    return this.#digest;
  }

  /**
   * A number from 0 to below 1 for a route or key, evenly distributed and always the same for this
   * conversation. Drawing with it is rendezvous hashing: a conversation keeps its favourite until that cannot
   * be used, and a change of other targets moves no conversation between the remaining ones.
   */
  draw(target: string): number {
    let low = this.digest.readUInt32LE(0);
    let high = this.digest.readUInt32LE(4);
    for (let at = 0; at < target.length; at += 1) {
      const unit = target.charCodeAt(at);
      low = Math.imul(low ^ unit, 2_654_435_761);
      high = Math.imul(high ^ unit, 1_597_334_677);
    }
    low = mixed(low, 16) ^ mixed(high, 13);
    high = mixed(high, 16) ^ mixed(low, 13);
    return (2 ** 32 * (high & 0x1fffff) + (low >>> 0)) / 2 ** 53;
  }
}

/** Spreads each bit over all others: a step of MurmurHash3's finalizer. */
function mixed(bits: number, shift: number): number {
  return Math.imul(bits ^ (bits >>> shift), shift === 16 ? 2_246_822_507 : 3_266_489_909);
}
