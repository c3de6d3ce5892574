import type { Metadata } from "next";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { LoadFailure } from "@/components/webhooks/load-failure";
import type { RouteProps } from "@/lib/page-props";
import { getDelivery, listDeliveries } from "@/lib/server/gateway/webhooks";
import { requireSession } from "@/lib/server/session";
import { loadDeliveryStory } from "@/lib/webhooks/delivery-story";
import { loadDeliverySearch } from "../search-params";
import { DeliveryClient } from "./client";

export const metadata: Metadata = { title: "Delivery" };

export default async function DeliveryPage(props: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await props.params;
  const view = await loadDeliverySearch(props.searchParams);
  const story = await loadDeliveryStory({ one: getDelivery, list: listDeliveries }, id);
  if (story.ok) return <DeliveryClient key={id} initial={story.data} view={view} />;
  return (
    <>
      <PageHeader title="Delivery" />
      {story.error.code === "delivery_not_found" ? (
        <EmptyState
          title="There is no such delivery"
          body="Its retention time is over, or the address is mistyped."
          action={<LinkButton href="/webhooks/deliveries">Open the delivery log</LinkButton>}
        />
      ) : (
        <LoadFailure error={story.error} />
      )}
    </>
  );
}
