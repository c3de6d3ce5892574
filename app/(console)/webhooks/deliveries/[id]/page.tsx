import { page } from "@/app/console-page";
import { serverStoryReads } from "@/lib/server/gateway/reads";
import { loadDeliveryStory } from "@/lib/webhooks/delivery-story";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { DeliveryClient } from "./client.tsx";

export const metadata = { title: "Delivery" };

export default page<"id">(metadata, async ({ params: { id }, search, need }) => {
  const story = await need(loadDeliveryStory(serverStoryReads, id));
  return <DeliveryClient key={id} initial={story} view={deliveryList.viewOf(search)} />;
});
