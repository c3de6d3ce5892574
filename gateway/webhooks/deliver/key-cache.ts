import type { Sealed, Sealer } from "#gateway/core/master-secret.ts";
import { type SigningKey, signingKey } from "../sign.ts";

const maxKept = 1000;

/** Opens the sealed secrets of endpoints into signing keys once, not once per attempt. Throws as Sealer.open does. */
export class KeyCache {
  private readonly box: Sealer;
  private readonly kept = new Map<string, SigningKey[]>();

  constructor(box: Sealer) {
    this.box = box;
  }

  /** `sealed`: an endpoint's secrets as JSON, as a claim brings them. */
  open(sealed: string, endpointId: string): SigningKey[] {
    const known = this.kept.get(sealed);
    if (known) return known;
    const secrets = JSON.parse(sealed) as Sealed[];
    const keys = secrets.map((secret) => signingKey(this.box.open(secret, endpointId)));
    if (this.kept.size >= maxKept) this.kept.clear();
    this.kept.set(sealed, keys);
    return keys;
  }
}
