import type { Counted } from "#contract/list.ts";
import type { PredictionStatus } from "#contract/prediction-constants.ts";
import { type DeliveryStatus, maxDeliveryAttempts } from "#contract/webhook-constants.ts";
import { useFormats, useWords } from "#words";
import { Link } from "@/components/ui/page/link";
import type { Tone } from "@/lib/status/status-look";
import type { Key, Words } from "@/messages/words";

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
  const t = useWords("home");
  const format = useFormats();
  if (groups.length === 0) return null;
  return (
    <div className="mb-5 flex flex-wrap gap-x-6 gap-y-3">
      {groups.map(({ title, figures }) => (
        <section
          key={title}
          aria-label={title}
          className="flex min-w-0 grow basis-96 flex-col max-phone:basis-full tablet:min-w-min"
        >
          <p className="mb-1 text-meta text-muted">
            {t.rich(
              "lastDay",
              { title },
              {
                b: (content) => (
                  <span key="title" className="font-medium text-ink">
                    {content}
                  </span>
                ),
              },
            )}
          </p>
          <ul className="grid grow auto-cols-[minmax(min-content,1fr)] grid-cols-2 gap-px overflow-hidden rounded-panel border bg-(--line) phone:grid-cols-4 tablet:grid-flow-col tablet:grid-cols-none">
            {figures.map(({ label, hint, count: { count, more }, href, tone }) => (
              <li key={label} title={hint} className="bg-panel max-tablet:last:odd:col-span-2">
                <Link
                  href={href}
                  className="flex h-full flex-wrap items-baseline gap-x-1.5 px-3 py-2 hover:bg-sunken focus-visible:-outline-offset-2! pointer-coarse:min-h-11 tablet:flex-col"
                >
                  <span
                    className={`tabular text-title font-semibold ${(count > 0 && tone && toneText[tone]) || ""}`}
                  >
                    {format.number(count)}
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
  label: Key<"home">;
  hint?: Key<"home">;
  tone?: Tone;
}

const shownPredictions: readonly Shown<PredictionStatus>[] = [
  { status: "starting", label: "starting" },
  { status: "processing", label: "processing", tone: "busy" },
  { status: "succeeded", label: "succeeded" },
  { status: "failed", label: "failed", tone: "bad" },
  { status: "canceled", label: "canceled" },
];
const shownDeliveries: readonly Shown<DeliveryStatus>[] = [
  { status: "delivered", label: "delivered" },
  { status: "failed", label: "failed", hint: "attemptScheduled", tone: "warn" },
  { status: "waiting", label: "waiting", hint: "endpointDisabled", tone: "warn" },
  {
    status: "dead-letter",
    label: "deadLetters",
    hint: "allAttemptsFailed",
    tone: "bad",
  },
];

/** The counts of the last 24 hours, each with a link to its list. A group of zeros is left out. */
export function homeFigures(
  t: Words<"home">,
  titles: Words<"pages">,
  { predictions, deliveries }: HomeCounts,
): FigureGroup[] {
  return [
    {
      title: titles("predictions"),
      figures: figuresOf(t, shownPredictions, predictions, "/predictions?since=24h"),
    },
    {
      title: titles("deliveries"),
      figures: figuresOf(t, shownDeliveries, deliveries, "/webhooks/deliveries?since=24h"),
    },
  ].filter(({ figures }) => figures.some(({ count }) => count.count > 0));
}

function figuresOf<Status extends string>(
  t: Words<"home">,
  shown: readonly Shown<Status>[],
  counts: Partial<Record<Status, Counted>> | null,
  list: string,
): Figure[] {
  return shown.flatMap(({ status, label, hint, tone }) => {
    const count = counts?.[status];
    if (!count) return [];
    const said = {
      label: t.text(label),
      ...(hint && {
        hint: hint === "allAttemptsFailed" ? t(hint, { count: maxDeliveryAttempts }) : t.text(hint),
      }),
    };
    return [{ ...said, ...(tone && { tone }), count, href: `${list}&status=${status}` }];
  });
}
