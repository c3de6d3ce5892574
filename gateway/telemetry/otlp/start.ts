import { diag } from "@opentelemetry/api";
import type { SpanStarter } from "../span.ts";
import { Batch } from "./batch.ts";
import { headOf, type LogRecord, writeRecord, writeSpan } from "./messages.ts";
import { Metrics } from "./metrics.ts";
import type { ProtoWriter } from "./proto-writer.ts";
import { createSender } from "./sender.ts";
import type { OtlpSettings, Sending } from "./settings.ts";
import { noSpans, spanStarter } from "./tracer.ts";

export interface Otlp {
  startSpan: SpanStarter;
  metrics: Metrics;
  /** Null: log records are not wanted. */
  emit: ((record: LogRecord) => void) | null;
  /** Sends what waits. */
  close(): Promise<void>;
}

/** Sends spans, metrics and log records as OTLP; `resource` are the attributes of what they are of. */
export function startOtlp(
  { sampler, traces, metrics: measured, logs }: OtlpSettings,
  resource: Promise<object>,
): Otlp {
  const closing: (() => Promise<void>)[] = [];
  const spans = traces && adderOf(traces, "spans", writeSpan);
  const records = logs && adderOf(logs, "log records", writeRecord);
  const metrics = new Metrics();
  if (measured) sendRegularly(measured);
  return {
    metrics,
    startSpan: spans ? spanStarter(sampler, spans) : noSpans,
    emit: records,
    close: async () => {
      await Promise.all(closing.map((close) => close()));
    },
  };

  function adderOf<Item>(sending: Sending, name: string, write: (to: ProtoWriter, item: Item) => void) {
    const sender = createSender(sending);
    const batch = new Batch({
      ...sending,
      name,
      send: async (items) => sender.send(headOf(await resource, "gatehouse", items.length), items),
    });
    closing.push(async () => {
      await batch.flush();
      sender.close();
    });
    return (item: Item) => batch.add(write, item);
  }

  function sendRegularly(sending: Sending): void {
    const sender = createSender(sending);
    const send = async () => {
      try {
        const items = await metrics.written();
        await sender.send(headOf(await resource, "gatehouse", items.length), items);
      } catch (error) {
        diag.warn("metrics could not be sent", error);
      }
    };
    const timer = setInterval(send, sending.delayMs).unref();
    closing.push(async () => {
      clearInterval(timer);
      await send();
      sender.close();
    });
  }
}
