import { diag } from "@opentelemetry/api";
import { ProtoWriter } from "./proto-writer.ts";

/** Bounds the memory however long prompts are. A request can exceed its limit by one item. */
const most = { requestBytes: 1_000_000, waitingBytes: 64_000_000 } as const;

export interface BatchSettings {
  /** The longest time that an item waits. */
  delayMs: number;
  /** Items sent together. */
  batchSize: number;
  /** Items that may wait while sending fails; further ones are dropped. */
  queueSize: number;
}

interface Options<Item> extends BatchSettings {
  /** The kind of the items, for the log. */
  name: string;
  write(to: ProtoWriter, item: Item): void;
  /** Sends encoded items. The buffer is reused once the promise has resolved. */
  send(items: Buffer): Promise<void>;
}

/** Items are encoded in groups of this size, which takes less time than encoding each on arrival. */
const writtenTogether = 32;

/** Writers kept for reuse: one is filled while another is sent. */
const maxSpare = 2;

/**
 * Gathers items and sends them together once there are enough or the first has waited long enough, one
 * request at a time. Waiting items are bytes in reused buffers: objects would outlive the collections of
 * young garbage, and V8 collects the whole heap when many buffers are new.
 */
export class Batch<Item> {
  private readonly options: Options<Item>;
  /** Items not yet written. */
  private gathered: Item[] = [];
  private writer = new ProtoWriter();
  private readonly full: { writer: ProtoWriter; count: number }[] = [];
  private readonly spare: ProtoWriter[] = [];
  /** Items in the writer. */
  private count = 0;
  /** All unsent items, and the bytes of those that are not in the writer. */
  private waiting = 0;
  private waitingBytes = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<void> | null = null;

  constructor(options: Options<Item>) {
    this.options = options;
  }

  add(item: Item): void {
    const { queueSize, batchSize } = this.options;
    if (this.waiting >= queueSize || this.waitingBytes >= most.waitingBytes) {
      this.dropped += 1;
      return;
    }
    this.waiting += 1;
    const gathered = this.gathered.push(item);
    if (gathered >= writtenTogether || this.count + gathered >= batchSize) this.write();
    else this.startTimer();
  }

  /** Sends all waiting items. */
  async flush(): Promise<void> {
    this.write();
    this.seal();
    while (this.sending) await this.sending;
  }

  private write(): void {
    const { write, batchSize } = this.options;
    const items = this.gathered;
    this.gathered = [];
    for (const item of items) {
      write(this.writer, item);
      this.count += 1;
      if (this.count >= batchSize || this.writer.size >= most.requestBytes) this.seal();
    }
    if (this.count > 0) this.startTimer();
  }

  private startTimer(): void {
    this.timer ??= setTimeout(() => void this.flush(), this.options.delayMs).unref();
  }

  /** Closes the writer's content, to be sent unchanged. */
  private seal(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.count === 0) return;
    this.full.push({ writer: this.writer, count: this.count });
    this.waitingBytes += this.writer.size;
    this.writer = this.spare.pop() ?? new ProtoWriter();
    this.count = 0;
    if (!this.sending) this.sendNext();
  }

  private sendNext(): void {
    const next = this.full.shift();
    this.sending = next ? this.sendOne(next.writer, next.count) : null;
  }

  private async sendOne(writer: ProtoWriter, count: number): Promise<void> {
    const { name, send } = this.options;
    try {
      await send(writer.written);
    } catch (error) {
      diag.warn(`${count} ${name} could not be sent`, error);
    }
    this.waiting -= count;
    this.waitingBytes -= writer.size;
    writer.clear();
    if (this.spare.length < maxSpare) this.spare.push(writer);
    if (this.dropped > 0) diag.warn(`${this.dropped} ${name} were dropped: too many waited to be sent`);
    this.dropped = 0;
    this.sendNext();
  }
}
