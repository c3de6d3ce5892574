const maxKept = 1000;

/** Opens what endpoints have sealed once, not once per attempt. Throws as `open` does. */
export class SealedCache<Opened> {
  private readonly make: (sealed: string, endpointId: string) => Opened;
  private readonly kept = new Map<string, Opened>();

  constructor(make: (sealed: string, endpointId: string) => Opened) {
    this.make = make;
  }

  /** `sealed`: as JSON, as a claim brings it. */
  open(sealed: string, endpointId: string): Opened {
    const known = this.kept.get(sealed);
    if (known) return known;
    const opened = this.make(sealed, endpointId);
    if (this.kept.size >= maxKept) this.kept.clear();
    this.kept.set(sealed, opened);
    return opened;
  }
}
