import { diag } from "@opentelemetry/api";
import { ProtoWriter } from "./proto-writer.ts";

export interface BatchSettings {
  /** An item waits at most so long. */
  delayMs: number;
  /** So many are sent at once. */
  batchSize: number;
  /** While they cannot be sent, so many wait; what comes then is dropped. */
  queueSize: number;
}

interface Options extends BatchSettings {
  /** What its items are, for the log. */
  name: string;
  send(items: Buffer): Promise<void>;
}

/**
 * Gathers items and sends them together, one request at a time. What waits is bytes: objects would outlive the collections of
 * young garbage, which costs more than to write them.
 */
export class Batch {
  private readonly options: Options;
  private readonly writer = new ProtoWriter();
  private readonly full: { items: Buffer; count: number }[] = [];
  /** In the writer. */
  private count = 0;
  /** All that were not sent yet. */
  private waiting = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<void> | null = null;

  constructor(options: Options) {
    this.options = options;
  }

  /** Adds what `write` writes. */
  add<Item>(write: (to: ProtoWriter, item: Item) => void, item: Item): void {
    const { queueSize, batchSize, delayMs } = this.options;
    if (this.waiting >= queueSize) {
      this.dropped += 1;
      return;
    }
    write(this.writer, item);
    this.count += 1;
    this.waiting += 1;
    if (this.count < batchSize) this.timer ??= setTimeout(() => this.sendNext(), delayMs).unref();
    else {
      this.seal();
      this.sendNext();
    }
  }

  /** Sends all that waits. */
  async flush(): Promise<void> {
    while (this.waiting > 0) {
      this.sendNext();
      await this.sending;
    }
  }

  private seal(): void {
    this.full.push({ items: this.writer.take(), count: this.count });
    this.count = 0;
  }

  private sendNext(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.sending) return;
    if (this.full.length === 0 && this.count > 0) this.seal();
    const next = this.full.shift();
    if (next) this.sending = this.sendOne(next.items, next.count);
  }

  private async sendOne(items: Buffer, count: number): Promise<void> {
    const { name, send } = this.options;
    try {
      await send(items);
    } catch (error) {
      diag.warn(`${count} ${name} could not be sent`, error);
    }
    this.waiting -= count;
    this.sending = null;
    if (this.dropped > 0) diag.warn(`${this.dropped} ${name} were dropped: too many waited to be sent`);
    this.dropped = 0;
    if (this.waiting > 0) this.sendNext();
  }
}
