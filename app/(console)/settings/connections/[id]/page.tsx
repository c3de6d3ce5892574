import { headOf, page, titleOf } from "@/app/console-page";
import { ConnectionDetail } from "@/components/connections/connection-detail";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";

const head = headOf({ title: "connection", parts: ["connections", "requests", "keys", "amounts"] });

export const generateMetadata = titleOf(head);

const lastCalls = 20;

export default page<"id", "connections">(head, async ({ params: { id }, requestRoute, need }) => {
  const [connection, calls, usage] = await Promise.all([
    need(requestRoute("GET /connections/{id}", { params: { id } })),
    requestRoute("GET /requests", { query: { key_id: id, limit: lastCalls } }),
    requestRoute("GET /usage", { query: { key_id: id } }),
  ]);
  return (
    <>
      <ReturnToRow list="/settings/connections" />
      <ConnectionDetail connection={connection} calls={calls} usage={usage} />
    </>
  );
});
