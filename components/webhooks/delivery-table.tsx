"use client";

import { useRef } from "react";
import type { Delivery } from "#contract/webhook.ts";
import { Checkbox } from "@/components/ui/checkbox";
import { Table, Th } from "@/components/ui/table";
import { DeliveryRow } from "./delivery-row.tsx";

interface DeliveryTableProps {
  deliveries: Delivery[];
  label: string;
  /** `?status=failed…`: the filter travels with the link, so that J and K walk the same list there. */
  search?: string;
  /** Left out on the page of one endpoint. */
  showsEndpoint?: boolean;
  selection?: RowSelection;
  onQueued?: (delivery: Delivery) => void;
}

/** Deliveries as rows that are links. */
export function DeliveryTable({
  deliveries,
  label,
  search = "",
  showsEndpoint = true,
  selection,
  onQueued,
}: DeliveryTableProps) {
  const all = deliveries.length > 0 && deliveries.every((each) => selection?.ids.has(each.id));
  const lastClicked = useRef("");
  /** As in a mail program: Shift takes the rows between with it, to the state of the row that is clicked. */
  const select = ({ ids, set }: RowSelection, id: string, range: boolean) => {
    const next = new Set(ids);
    const change = ids.has(id) ? (each: string) => next.delete(each) : (each: string) => next.add(each);
    for (const each of range ? idsBetween(deliveries, lastClicked.current, id) : [id]) change(each);
    lastClicked.current = id;
    set(next);
  };
  return (
    <Table label={label} className="max-[1340px]:[&_td]:px-2 max-[1340px]:[&_th]:px-2">
      <thead>
        <tr>
          {selection && (
            <Th>
              <Checkbox
                label="Select all deliveries on this page"
                hideLabel
                checked={all}
                onChange={(event) =>
                  selection.set(new Set(event.currentTarget.checked ? deliveries.map((each) => each.id) : []))
                }
              />
            </Th>
          )}
          <Th>Event</Th>
          <Th>Status</Th>
          <Th className="max-tablet:hidden">Response</Th>
          <Th className="max-tablet:hidden">Attempts</Th>
          <Th className="max-wide:hidden">Prediction</Th>
          {showsEndpoint && <Th className="max-desktop:hidden">Endpoint</Th>}
          <Th className="max-tablet:hidden">Created</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            search={search}
            showsEndpoint={showsEndpoint}
            {...(selection && {
              selected: selection.ids.has(delivery.id),
              onSelect: (id: string, range: boolean) => select(selection, id, range),
            })}
            {...(onQueued && { onQueued })}
          />
        ))}
      </tbody>
    </Table>
  );
}

/** The rows that are ticked, and the way to change them. */
interface RowSelection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
}

/** The ids of `rows` from one to the other, whichever comes first; only `to` when `from` is not among them. */
function idsBetween(rows: { id: string }[], from: string, to: string): string[] {
  const start = rows.findIndex(({ id }) => id === from);
  const end = rows.findIndex(({ id }) => id === to);
  if (start === -1 || end === -1) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id);
}
