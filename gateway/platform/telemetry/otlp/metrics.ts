import type { Facts } from "../telemetry.ts";
import { itemField, writeAttributes } from "./messages.ts";
import { ProtoWriter } from "./proto-writer.ts";

/** OTLP's number for sums since the start. */
const cumulative = 2;
/** Beyond this number, sets of labels are counted as one, following OpenTelemetry's default. */
const maxCells = 2_000;
const overflow: Facts = { "otel.metric.overflow": true };

export interface About {
  name: string;
  description: string;
  unit: string;
}

/** The values recorded with the same labels. */
interface Cell {
  labels: Facts;
  counts: Float64Array;
  sum: number;
  min: number;
  max: number;
}

/** Counts values by bucket and labels. */
export class Histogram {
  private readonly cells = new Map<string, Cell>();
  /** The cells by the object that contains their labels: callers create one object per kind of call. */
  private readonly known = new WeakMap<Facts, Cell>();
  private readonly about: About;
  private readonly bounds: readonly number[];

  constructor(about: About, bounds: readonly number[]) {
    this.about = about;
    this.bounds = bounds;
  }

  record(value: number, labels: Facts): void {
    const cell = this.known.get(labels) ?? this.cellOf(labels);
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    (cell.counts[bucket] as number) += 1;
    cell.sum += value;
    if (value < cell.min) cell.min = value;
    if (value > cell.max) cell.max = value;
  }

  write(to: ProtoWriter, sinceMs: number, nowMs: number): void {
    if (this.cells.size === 0) return;
    const begun = beginMetric(to, this.about);
    const histogram = to.begin(9);
    for (const { labels, counts, sum, min, max } of this.cells.values()) {
      const point = to.begin(1);
      to.time(2, sinceMs);
      to.time(3, nowMs);
      to.fixed64(
        4,
        counts.reduce((all, count) => all + count, 0),
      );
      to.double(5, sum);
      for (const count of counts) to.fixed64(6, count);
      for (const bound of this.bounds) to.double(7, bound);
      writeAttributes(to, 9, labels);
      to.double(11, min);
      to.double(12, max);
      to.end(point);
    }
    to.varint(2, cumulative);
    to.end(histogram);
    to.end(begun);
  }

  private cellOf(labels: Facts): Cell {
    let key = "";
    for (const name in labels) key += `${labels[name]}\n`;
    let cell = this.cells.get(key);
    if (!cell && this.cells.size >= maxCells && labels !== overflow) return this.cellOf(overflow);
    if (!cell) {
      const counts = new Float64Array(this.bounds.length + 1);
      cell = { labels, counts, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
      this.cells.set(key, cell);
    }
    this.known.set(labels, cell);
    return cell;
  }
}

/** A counter that is stored elsewhere. */
export interface Counted {
  about: About;
  read(): Promise<readonly { value: number; labels: object }[]>;
}

async function writeCounted(
  to: ProtoWriter,
  { about, read }: Counted,
  sinceMs: number,
  nowMs: number,
): Promise<void> {
  const points = await read();
  if (points.length === 0) return;
  const begun = beginMetric(to, about);
  const sum = to.begin(7);
  for (const { value, labels } of points) {
    const point = to.begin(1);
    to.time(2, sinceMs);
    to.time(3, nowMs);
    to.double(4, value);
    writeAttributes(to, 7, labels);
    to.end(point);
  }
  to.varint(2, cumulative);
  to.varint(3, 1);
  to.end(sum);
  to.end(begun);
}

function beginMetric(to: ProtoWriter, { name, description, unit }: About): number {
  const begun = to.begin(itemField);
  to.text(1, name);
  to.text(2, description);
  to.text(3, unit);
  return begun;
}

/** All metrics, in the form to be sent. */
export class Metrics {
  private readonly sinceMs = Date.now();
  private readonly histograms: Histogram[] = [];
  private readonly counted: Counted[] = [];

  histogram(about: About, bounds: readonly number[]): Histogram {
    const histogram = new Histogram(about, bounds);
    this.histograms.push(histogram);
    return histogram;
  }

  count(counted: Counted): void {
    this.counted.push(counted);
  }

  async written(): Promise<Buffer> {
    const to = new ProtoWriter();
    const nowMs = Date.now();
    for (const histogram of this.histograms) histogram.write(to, this.sinceMs, nowMs);
    for (const counted of this.counted) await writeCounted(to, counted, this.sinceMs, nowMs);
    return to.written;
  }
}
