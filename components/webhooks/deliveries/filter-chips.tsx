"use client";

import { X } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import type { DeliveryView } from "@/lib/webhooks/delivery-view";

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
