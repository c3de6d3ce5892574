import type { Prediction } from "#contract/prediction.ts";
import { formatBytes, formatDuration, formatNumber } from "@/lib/format";
import { usageLabel } from "@/lib/usage-label";
import type { Language } from "@/messages/languages";
import type { Words } from "@/messages/words";
import { outputFiles, totalBytes } from "../outputs.ts";

export interface FactRow {
  name: string;
  /** One text per prediction. Null without a value. */
  values: (string | null)[];
  differs: boolean;
}

/** Where and how the predictions ran, one row per fact. */
export function runFacts(
  t: Words<"predictions">,
  amounts: Words<"amounts">,
  predictions: readonly Prediction[],
): FactRow[] {
  return [
    row(t("operation"), predictions, ({ api_type }) => api_type),
    row(t("region"), predictions, ({ svc_region }) => svc_region),
    row(t("files"), predictions, (prediction) => filesOf(prediction, t.language)),
    row(t("usage"), predictions, ({ usage }) => (usage ? usageLabel(amounts, usage) : null)),
  ];
}

/** The inputs, one row per key. Rows with differences come first. */
export function inputFacts(predictions: readonly Prediction[]): FactRow[] {
  const keys = [...new Set(predictions.flatMap(({ input }) => Object.keys(input ?? {})))];
  const rows = keys.map((key) => row(key, predictions, ({ input }) => shown(input?.[key])));
  return rows.sort((one, other) => Number(other.differs) - Number(one.differs));
}

export interface TimingRow {
  name: string;
  /** Seconds for each prediction. */
  values: (number | null)[];
  /** The value of a full bar. */
  longest: number;
}

/** Queue, run and total time on one scale, so that bars can be compared down as well as across. */
export function timings(t: Words<"predictions">, predictions: readonly Prediction[]): TimingRow[] {
  const longest = Math.max(0, ...predictions.map(({ metrics }) => metrics.total_time ?? 0));
  const timing = (name: string, of: (prediction: Prediction) => number | null) => ({
    name,
    values: predictions.map(of),
    longest,
  });
  return [
    timing(t("queue"), ({ metrics }) => metrics.queue_time),
    timing(t("run"), ({ metrics }) => metrics.predict_time),
    timing(t("total"), ({ metrics }) => metrics.total_time),
  ];
}

function row(
  name: string,
  predictions: readonly Prediction[],
  of: (prediction: Prediction) => string | null,
): FactRow {
  const values = predictions.map(of);
  return { name, values, differs: new Set(values).size > 1 };
}

function filesOf(prediction: Prediction, language: Language): string | null {
  const files = outputFiles(prediction);
  const [first] = files;
  if (!first) return null;
  const size = first.width && first.height ? `${first.width} × ${first.height}` : null;
  const length = first.duration === null ? null : formatDuration(first.duration * 1000, language);
  const bytes = totalBytes(files);
  return [formatNumber(files.length), first.content_type, size, length, bytes > 0 ? formatBytes(bytes) : null]
    .filter((part) => part !== null)
    .join(" · ");
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
