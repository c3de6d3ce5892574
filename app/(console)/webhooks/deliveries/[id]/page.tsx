import { cache } from "react";
import { page } from "@/app/console-page";
import type { RouteProps } from "@/lib/page-props";
import { serverStoryReads } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { loadDeliveryStory } from "@/lib/webhooks/delivery-story";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { DeliveryClient } from "./client.tsx";

/** Cached, so that the title and the page share the requests. */
const readStory = cache((id: string) => loadDeliveryStory(serverStoryReads, id));

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const story = await readStory((await params).id);
  const t = await words("webhooks");
  if (!story.ok) return { title: t("deliveryNotFound") };
  const { event_type: type, url } = story.data.delivery;
  return { title: t("eventTo", { type, address: endpointAddress(url) }) };
}

export default page<"id", "webhooks">(
  { title: "delivery", parts: ["webhooks", "states"] },
  async ({ params: { id }, search, need }) => {
    const story = await need(readStory(id));
    return <DeliveryClient key={id} initial={story} view={deliveryList.viewOf(search)} />;
  },
);
