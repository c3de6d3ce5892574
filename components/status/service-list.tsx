"use client";

import { useState } from "react";
import type { ServiceState } from "#contract/status-constants.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { StatusPill } from "@/components/ui/status-pill";
import { serviceLook } from "@/lib/status/service";
import { type DayShare, dayLabel, shareLabel } from "@/lib/status/shares";
import { ShareStrip } from "./share-strip.tsx";

export interface Service {
  /** Such as a model's id. */
  id: string;
  name?: string | undefined;
  href?: string | undefined;
  state: ServiceState;
  share: number | null;
  days: readonly DayShare[];
}

/** Models or regions with how they do now, a strip of their days, and the same as a table. */
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
  const look = serviceLook(state);
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
        {share === null ? <span className="text-muted">nothing ran</span> : shareLabel(share)}
      </span>
    </li>
  );
}

/** Drawn when it is opened: it has a cell for each day of each. */
function DayTable({ label, services }: { label: string; services: readonly Service[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-table text-muted hover:text-ink">Days as a table</summary>
      {open && (
        <div className="mt-2">
          <Table label={`${label} by day`}>
            <thead>
              <tr>
                <Th className="sticky left-0 bg-panel">Name</Th>
                {services[0]?.days.map(({ day }) => (
                  <Th key={day} numeric>
                    {dayLabel(day)}
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
                      {share === null ? <span className="text-muted">–</span> : shareLabel(share)}
                    </Td>
                  ))}
                </Tr>
              ))}
            </tbody>
          </Table>
          <p className="mt-1 text-meta text-muted">Days are those of UTC. – means that nothing ran.</p>
        </div>
      )}
    </details>
  );
}
