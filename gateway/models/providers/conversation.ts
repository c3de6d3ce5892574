import { createHmac, type KeyObject } from "node:crypto";

/**
 * The conversation that a request belongs to: equal names are the same conversation, in every process of an
 * installation. The name is made and hashed only if something has to be drawn or sent.
 */
export class Conversation {
  readonly #secret: KeyObject;
  readonly #name: () => string;
  #digest: Buffer | null = null;

  constructor(secret: KeyObject, name: () => string) {
    this.#secret = secret;
    this.#name = name;
  }

  get #hash(): Buffer {
    this.#digest ??= createHmac("sha256", this.#secret).update(this.#name()).digest();
    return this.#digest;
  }

  /** The name for an upstream, which tells it nothing about the caller. */
  get cacheKey(): string {
    return this.#hash.toString("base64url");
  }

  /**
   * A number from 0 to below 1 for a route or key, evenly distributed and always the same for this
   * conversation. Drawing with it is rendezvous hashing: a conversation keeps its favourite until that cannot
   * be used, and a change of other targets moves no conversation between the remaining ones.
   */
  draw(target: string): number {
    let low = this.#hash.readUInt32LE(0);
    let high = this.#hash.readUInt32LE(4);
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
