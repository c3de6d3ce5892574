"use client";

import { X } from "lucide-react";
import { useWords } from "#words";
import { GuideLink } from "@/components/guides/guide-link";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import type { DeliveryView } from "@/lib/webhooks/delivery-view";

// Parts of the log that most visits do not need, so they are loaded when one is shown.

const chips = [
  ["id", "delivery", "clearDeliveryFilter"],
  ["event_id", "event", "clearEventFilter"],
  ["prediction_id", "prediction", "clearPredictionFilter"],
] as const;

/** Filters by id, which have no select. */
export function FilterChips(props: { view: DeliveryView; onChange: (next: Partial<DeliveryView>) => void }) {
  const t = useWords("webhooks");
  const shown = chips.filter(([name]) => props.view[name] !== "");
  if (shown.length === 0) return null;
  return (
    <ul aria-label={t("filtersById")} className="mb-3 flex flex-wrap gap-2">
      {shown.map(([name, label, clear]) => (
        <li
          key={name}
          className="inline-flex items-center gap-1 rounded-control border bg-sunken pl-2 text-table"
        >
          {t(label)} <code className="wrap-anywhere">{props.view[name]}</code>
          <IconButton
            size="sm"
            label={t(clear)}
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
  const t = useWords("webhooks");
  return filtered ? (
    <EmptyState
      title={t("noDeliveriesMatchTheseFilters")}
      body={t("clearAFilterOrChoose")}
      action={<Button onClick={onClear}>{t("clearFilters")}</Button>}
    />
  ) : (
    <EmptyState
      drawing="signal"
      title={t("noDeliveriesYet")}
      body={
        <>
          {t("addAnEndpointFirst")} <GuideLink to="webhooks">{t("howToReceiveWebhooks")}</GuideLink>
        </>
      }
      action={<LinkButton href="/webhooks/endpoints">{t("openEndpoints")}</LinkButton>}
    />
  );
}
