import type { SealedSecret, SecretBox } from "../secrets.ts";
import { type SigningKey, signingKey } from "../sign.ts";

const maxKept = 1000;

/** Opens sealed secrets into signing keys once, not once per attempt. Throws as SecretBox.open does. */
export class KeyCache {
  private readonly box: SecretBox;
  private readonly kept = new Map<string, SigningKey>();

  constructor(box: SecretBox) {
    this.box = box;
  }

  open(sealed: SealedSecret, endpointId: string): SigningKey {
    const known = this.kept.get(sealed.ciphertext);
    if (known) return known;
    const key = signingKey(this.box.open(sealed, endpointId));
    if (this.kept.size >= maxKept) this.kept.clear();
    this.kept.set(sealed.ciphertext, key);
    return key;
  }
}
