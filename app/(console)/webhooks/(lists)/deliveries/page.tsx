import { headOf, listPage, titleOf } from "@/app/console-page";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { DeliveriesClient } from "./client.tsx";

const head = headOf({ title: "deliveries", parts: ["webhooks", "states", "charts"] });

export const generateMetadata = titleOf(head);

const maxEndpoints = 100;

export default listPage({ ...head, list: deliveryList }, async ({ query, requestRoute }) => {
  const [deliveries, endpoints] = await Promise.all([
    requestRoute("GET /webhooks/deliveries", { query }),
    requestRoute("GET /webhooks/endpoints", { query: { limit: maxEndpoints } }),
  ]);
  const choices = endpoints.ok
    ? endpoints.data.data.map(({ id, url, description }) => ({ id, url, description }))
    : null;
  return (
    <DeliveriesClient
      initial={{ query, list: deliveries.ok ? deliveries.data : deliveries.error }}
      endpoints={choices}
    />
  );
});
