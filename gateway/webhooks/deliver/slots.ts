import type { WorkerSettings } from "./settings.ts";

type Limits = Pick<WorkerSettings, "concurrency" | "endpointConcurrency" | "silentEndpointConcurrency">;

/** Counts requests under way, in all and per endpoint. */
export class Slots {
  private readonly limits: Limits;
  private readonly busy = new Map<string, number>();
  /** Endpoints whose latest attempt here got no answer: they hold slots for the whole time-out, so they get few. */
  private readonly silent = new Set<string>();
  private total = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  get free(): number {
    return this.limits.concurrency - this.total;
  }

  take(endpointId: string): void {
    this.total += 1;
    this.busy.set(endpointId, (this.busy.get(endpointId) ?? 0) + 1);
  }

  release(endpointId: string, answered: boolean): void {
    this.total -= 1;
    const left = (this.busy.get(endpointId) ?? 1) - 1;
    if (left > 0) this.busy.set(endpointId, left);
    else this.busy.delete(endpointId);
    if (answered) this.silent.delete(endpointId);
    else this.silent.add(endpointId);
  }

  isFull(endpointId: string): boolean {
    return this.freeAt(endpointId) === 0;
  }

  /** Free places of every endpoint that has not the usual number of them. */
  freePlaces(): Map<string, number> {
    const ids = new Set([...this.busy.keys(), ...this.silent]);
    return new Map([...ids].map((id) => [id, this.freeAt(id)]));
  }

  private freeAt(endpointId: string): number {
    const { endpointConcurrency, silentEndpointConcurrency } = this.limits;
    const limit = this.silent.has(endpointId) ? silentEndpointConcurrency : endpointConcurrency;
    return Math.max(limit - (this.busy.get(endpointId) ?? 0), 0);
  }
}
