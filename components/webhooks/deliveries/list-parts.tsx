"use client";

import { X } from "lucide-react";
import { GuideLink } from "@/components/guides/guide-link";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import type { DeliveryView } from "@/lib/webhooks/delivery-view";

// Parts of the log that most visits do not need, so they are loaded when one is shown.

const chips = [
  ["id", "Delivery"],
  ["event_id", "Event"],
  ["prediction_id", "Prediction"],
] as const;

/** Filters by id, which have no select. */
export function FilterChips(props: { view: DeliveryView; onChange: (next: Partial<DeliveryView>) => void }) {
  const shown = chips.filter(([name]) => props.view[name] !== "");
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Filters by id" className="mb-3 flex flex-wrap gap-2">
      {shown.map(([name, label]) => (
        <li
          key={name}
          className="inline-flex items-center gap-1 rounded-control border bg-sunken pl-2 text-table"
        >
          {label} <code className="wrap-anywhere">{props.view[name]}</code>
          <IconButton
            size="sm"
            label={`Clear ${label.toLowerCase()} filter`}
            icon={<X size={14} aria-hidden />}
            onClick={() => props.onChange({ [name]: "" })}
          />
        </li>
      ))}
    </ul>
  );
}

/** An empty log: because of its filters, or because nothing was sent. */
export function NoDeliveries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      title="No deliveries match these filters"
      body="Clear a filter or choose a longer period."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      drawing="signal"
      title="No deliveries yet"
      body={
        <>
          Add an endpoint. Deliveries appear here when a prediction finishes.{" "}
          <GuideLink to="webhooks">How to receive webhooks</GuideLink>
        </>
      }
      action={<LinkButton href="/webhooks/endpoints">Open endpoints</LinkButton>}
    />
  );
}
