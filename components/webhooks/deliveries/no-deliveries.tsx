"use client";

import { GuideLink } from "@/components/guides/guide-link";
import { Button, LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";

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
