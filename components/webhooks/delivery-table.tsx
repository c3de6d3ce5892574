"use client";

import type { Delivery } from "#contract/webhook.ts";
import { Checkbox } from "@/components/ui/input";
import { Table, Th } from "@/components/ui/table";
import { DeliveryRow } from "./delivery-row.tsx";
import type { RowSelection } from "./row-selection.ts";

interface DeliveryTableProps {
  deliveries: Delivery[];
  label: string;
  /** `?status=failed…`: the filter travels with the link, so that J and K walk the same list there. */
  search?: string;
  selection?: RowSelection;
  onQueued?: (delivery: Delivery) => void;
}

/** Deliveries as rows that are links. */
export function DeliveryTable({ deliveries, label, search = "", selection, onQueued }: DeliveryTableProps) {
  const all = deliveries.length > 0 && deliveries.every((each) => selection?.ids.has(each.id));
  return (
    <Table label={label} className="max-[1340px]:[&_td]:px-2 max-[1340px]:[&_th]:px-2">
      <thead>
        <tr>
          {selection && (
            <Th>
              <Checkbox
                label="Select every delivery on this page"
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
          <Th className="max-tablet:hidden">Answer</Th>
          <Th className="max-tablet:hidden">Attempts</Th>
          <Th className="max-wide:hidden">Prediction</Th>
          <Th className="max-desktop:hidden">Endpoint</Th>
          <Th className="max-tablet:hidden">When</Th>
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
            {...(selection && { selection })}
            {...(onQueued && { onQueued })}
          />
        ))}
      </tbody>
    </Table>
  );
}
