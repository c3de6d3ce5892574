"use client";

import { type PointerEvent, useState } from "react";
import type { ServiceState } from "#contract/status-constants.ts";
import { useWords } from "#words";
import { StatusPill } from "@/components/ui/badge";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import {
  type DayShare,
  dayLabel,
  describeDays,
  levelOf,
  type ShareLevel,
  serviceLook,
  shareLabel,
} from "@/lib/status/service";

export interface Service {
  /** For example, a model's id. */
  id: string;
  name?: string | undefined;
  href?: string | undefined;
  state: ServiceState;
  share: number | null;
  days: readonly DayShare[];
}

/** Models or regions with their current state, a strip of their days, and the same data as a table. */
export function ServiceList({ label, services }: { label: string; services: readonly Service[] }) {
  return (
    <>
      <ul aria-label={label} className="divide-y rounded-panel border bg-panel">
        {services.map((service) => (
          <ServiceRow key={service.id} {...service} />
        ))}
      </ul>
      <DayTable label={label} services={services} />
    </>
  );
}

function ServiceRow({ id, name, href, state, share, days }: Service) {
  const t = useWords("status");
  const look = serviceLook(t, state, share);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-3 py-2.5 tablet:grid-cols-[minmax(0,1fr)_6.5rem_minmax(200px,42%)_5.5rem]">
      <span className="min-w-0">
        <span className="block truncate font-mono text-table" title={id}>
          {href ? (
            <Link href={href} className="font-medium hover:text-accent hover:underline">
              {id}
            </Link>
          ) : (
            id
          )}
        </span>
        {name && <span className="block truncate text-meta text-muted">{name}</span>}
      </span>
      <span>
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
      </span>
      <ShareStrip name={name ?? id} days={days} />
      <span className="tabular text-right text-table whitespace-nowrap">
        {share === null ? <span className="text-muted">{t("nothingRan")}</span> : shareLabel(t, share)}
      </span>
    </li>
  );
}

/** Rendered when it is opened, because it has a cell for each day and model. */
function DayTable({ label, services }: { label: string; services: readonly Service[] }) {
  const t = useWords("status");
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-table text-muted hover:text-ink">{t("daysAsATable")}</summary>
      {open && (
        <div className="mt-2">
          <Table label={t("labelByDay", { label })}>
            <thead>
              <tr>
                <Th className="sticky left-0 bg-panel">{t("name")}</Th>
                {services[0]?.days.map(({ day }) => (
                  <Th key={day} numeric>
                    {dayLabel(t, day)}
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {services.map(({ id, days }) => (
                <Tr key={id}>
                  <Th scope="row" className="sticky left-0 bg-panel font-mono">
                    {id}
                  </Th>
                  {days.map(({ day, share }) => (
                    <Td key={day} numeric className="whitespace-nowrap">
                      {share === null ? <span className="text-muted">–</span> : shareLabel(t, share)}
                    </Td>
                  ))}
                </Tr>
              ))}
            </tbody>
          </Table>
          <p className="mt-1 text-meta text-muted">{t("daysAreInUtcMeans")}</p>
        </div>
      )}
    </details>
  );
}

const [cell, gap, height] = [8, 2, 24];
/** The more failures, the lower the bar, so that it can be read without colours. */
const heights: Record<ShareLevel, number> = { good: height, warn: 17, bad: 10, none: 3 };
const fills: Record<ShareLevel, string> = {
  good: "fill-good",
  warn: "fill-warn",
  bad: "fill-bad",
  none: "fill-strong",
};
const levels = Object.keys(heights) as ShareLevel[];

/**
 * A bar per day. The pointer shows the day. The table below and a text for screen readers contain the same
 * data.
 */
function ShareStrip({ name, days }: { name: string; days: readonly DayShare[] }) {
  const t = useWords("status");
  const [pointed, setPointed] = useState<number | null>(null);
  const width = days.length * cell - gap;
  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const box = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - box.left) / box.width) * days.length);
    setPointed(Math.min(days.length - 1, Math.max(0, index)));
  };
  const day = pointed === null ? undefined : days[pointed];
  return (
    <div className="relative">
      <svg
        role="img"
        aria-label={t("lastDays", { name, count: days.length, days: describeDays(t, days) })}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-6 w-full"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(null)}
      >
        {levels.map((level) => (
          <path key={level} d={barsOf(days, level)} className={fills[level]} />
        ))}
      </svg>
      {day && pointed !== null && (
        <span
          aria-hidden
          style={{ left: `${((pointed + 0.5) / days.length) * 100}%` }}
          className="pointer-events-none absolute bottom-full z-2 mb-1 -translate-x-1/2 rounded-control border bg-raised px-2 py-1 text-meta whitespace-nowrap text-ink shadow-float"
        >
          {t(day.share === null ? "dayShare" : "dayWorked", {
            day: dayLabel(t, day.day),
            share: shareLabel(t, day.share),
          })}
        </span>
      )}
    </div>
  );
}

/** All bars of one level as a single SVG path. */
function barsOf(days: readonly DayShare[], level: ShareLevel): string {
  const tall = heights[level];
  return days
    .map(({ share }, index) =>
      levelOf(share) === level
        ? `M${index * cell} ${height - tall}h${cell - gap}v${tall}h-${cell - gap}z`
        : "",
    )
    .join("");
}
