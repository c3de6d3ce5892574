"use client";

import { Button, LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** An empty log: because of its filters, or because nothing was sent. */
export function NoDeliveries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      title="No delivery matches these filters"
      body="Take a filter off, or look at a longer time."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      drawing="signal"
      title="Nothing was sent yet"
      body="Once you have an endpoint, the end of every asynchronous prediction is sent to it and shows here."
      action={<LinkButton href="/webhooks/endpoints">Open endpoints</LinkButton>}
    />
  );
}
