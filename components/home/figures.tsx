import type { Counted } from "#contract/list.ts";
import type { PredictionStatus } from "#contract/prediction-constants.ts";
import { type DeliveryStatus, maxDeliveryAttempts } from "#contract/webhook-constants.ts";
import { Link } from "@/components/ui/page/link";
import { formatNumber } from "@/lib/format";
import type { Tone } from "@/lib/status/status-look";

export interface Figure {
  label: string;
  /** Explains the label at its first use. */
  hint?: string;
  count: Counted;
  href: string;
  /** Colours the count when it is above zero. */
  tone?: Tone;
}

export interface FigureGroup {
  title: string;
  figures: readonly Figure[];
}

const toneText: Partial<Record<Tone, string>> = {
  bad: "text-bad",
  warn: "text-warn",
  busy: "text-busy",
  good: "text-good",
};

/** Counts of the last 24 hours, each with a link to the counted rows. */
export function Figures({ groups }: { groups: readonly FigureGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <div className="mb-5 flex flex-wrap gap-x-6 gap-y-3">
      {groups.map(({ title, figures }) => (
        <section
          key={title}
          aria-label={title}
          className="flex min-w-0 grow basis-96 flex-col max-phone:basis-full"
        >
          <p className="mb-1 text-meta text-muted">
            <span className="font-medium text-ink">{title}</span> in the last 24 hours
          </p>
          <ul className="grid grow auto-cols-fr grid-cols-2 gap-px overflow-hidden rounded-panel border bg-(--line) phone:grid-cols-4 tablet:grid-flow-col tablet:grid-cols-none">
            {figures.map(({ label, hint, count: { count, more }, href, tone }) => (
              <li key={label} title={hint} className="bg-panel max-tablet:last:odd:col-span-2">
                <Link
                  href={href}
                  className="flex h-full flex-wrap items-baseline gap-x-1.5 px-3 py-2 hover:bg-sunken focus-visible:-outline-offset-2! pointer-coarse:min-h-11 tablet:flex-col"
                >
                  <span
                    className={`tabular text-title font-semibold ${(count > 0 && tone && toneText[tone]) || ""}`}
                  >
                    {formatNumber(count)}
                    {more && "+"}{" "}
                  </span>
                  <span className="text-table whitespace-nowrap text-ink">{label}</span>
                  {hint && <span className="sr-only"> {hint}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Counts of the last 24 hours. Null or missing if unknown. */
export interface HomeCounts {
  predictions: Partial<Record<PredictionStatus, Counted>> | null;
  deliveries: Partial<Record<DeliveryStatus, Counted>> | null;
}

interface Shown<Status> {
  status: Status;
  label: string;
  hint?: string;
  tone?: Tone;
}

const shownPredictions: readonly Shown<PredictionStatus>[] = [
  { status: "starting", label: "Starting" },
  { status: "processing", label: "Processing", tone: "busy" },
  { status: "succeeded", label: "Succeeded" },
  { status: "failed", label: "Failed", tone: "bad" },
  { status: "canceled", label: "Canceled" },
];
const shownDeliveries: readonly Shown<DeliveryStatus>[] = [
  { status: "delivered", label: "Delivered" },
  { status: "failed", label: "Failed", hint: "another attempt is scheduled", tone: "warn" },
  { status: "waiting", label: "Waiting", hint: "their endpoint is disabled", tone: "warn" },
  {
    status: "dead-letter",
    label: "Dead letters",
    hint: `all ${maxDeliveryAttempts} attempts failed`,
    tone: "bad",
  },
];

/** The counts of the last 24 hours, each with a link to its list. A group of zeros is left out. */
export function homeFigures({ predictions, deliveries }: HomeCounts): FigureGroup[] {
  return [
    { title: "Predictions", figures: figuresOf(shownPredictions, predictions, "/predictions?since=24h") },
    {
      title: "Deliveries",
      figures: figuresOf(shownDeliveries, deliveries, "/webhooks/deliveries?since=24h"),
    },
  ].filter(({ figures }) => figures.some(({ count }) => count.count > 0));
}

function figuresOf<Status extends string>(
  shown: readonly Shown<Status>[],
  counts: Partial<Record<Status, Counted>> | null,
  list: string,
): Figure[] {
  return shown.flatMap(({ status, ...look }) => {
    const count = counts?.[status];
    return count ? [{ ...look, count, href: `${list}&status=${status}` }] : [];
  });
}
