import { diag } from "@opentelemetry/api";
import type { Emit } from "../logs.ts";
import type { SpanStarter } from "../span.ts";
import { Batch } from "./batch.ts";
import { type EndedSpan, headOf, type LogRecord, writeRecord, writeSpan } from "./messages.ts";
import { Metrics } from "./metrics.ts";
import type { ProtoWriter } from "./proto-writer.ts";
import { createSender } from "./sender.ts";
import type { OtlpSettings, Sending } from "./settings.ts";
import { noSpans, spanStarter } from "./tracer.ts";

export interface Otlp {
  startSpan: SpanStarter;
  metrics: Metrics;
  /** Null: log records are not wanted. */
  emit: Emit | null;
  /** Sends what waits. */
  close(): Promise<void>;
}

/** Sends spans, metrics and log records as OTLP; `resource` are the attributes of what they are of. */
export function startOtlp(
  { sampler, traces, metrics: measured, logs }: OtlpSettings,
  resource: Promise<object>,
): Otlp {
  const closing: (() => Promise<void>)[] = [];
  const senders: ReturnType<typeof createSender>[] = [];
  const spans = traces && batchOf<EndedSpan>(traces, "spans", writeSpan);
  const records = logs && batchOf<LogRecord>(logs, "log records", writeRecord);
  const metrics = new Metrics();
  if (measured) sendRegularly(measured);
  return {
    metrics,
    startSpan: spans ? spanStarter(sampler, (span) => spans.add(span)) : noSpans,
    emit: records && ((record) => records.add(record)),
    close: async () => {
      await Promise.all(closing.map((close) => close()));
      await Promise.all(senders.map((sender) => sender.close()));
    },
  };

  function batchOf<Item>(sending: Sending, name: string, write: (to: ProtoWriter, item: Item) => void) {
    const send = senderOf(sending);
    const batch = new Batch({ ...sending, name, write, send });
    closing.push(() => batch.flush());
    return batch;
  }

  function senderOf(sending: Sending): (items: Buffer) => Promise<void> {
    const sender = createSender(sending);
    senders.push(sender);
    return async (items) =>
      sender.send(Buffer.concat([headOf(await resource, "gatehouse", items.length), items]));
  }

  function sendRegularly(sending: Sending): void {
    const sendItems = senderOf(sending);
    const send = async () => {
      try {
        await sendItems(await metrics.written());
      } catch (error) {
        diag.warn("metrics could not be sent", error);
      }
    };
    const timer = setInterval(send, sending.delayMs).unref();
    closing.push(async () => {
      clearInterval(timer);
      await send();
    });
  }
}
