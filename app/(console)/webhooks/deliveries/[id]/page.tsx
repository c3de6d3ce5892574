import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { serverStoryReads } from "@/lib/server/gateway/reads";
import { requireSession } from "@/lib/server/session";
import { loadDeliveryStory } from "@/lib/webhooks/delivery-story";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { DeliveryClient } from "./client";

export const metadata: Metadata = { title: "Delivery" };

export default async function DeliveryPage(props: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await props.params;
  const view = deliveryList.viewOf(await props.searchParams);
  const story = await loadDeliveryStory(serverStoryReads, id);
  if (story.ok) return <DeliveryClient key={id} initial={story.data} view={view} />;
  if (story.error.code === "delivery_not_found") notFound();
  return (
    <>
      <PageHeader title="Delivery" />
      <LoadFailure error={story.error} />
    </>
  );
}
