import { headOf, page, titleOf } from "@/app/console-page";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { copiesTo, copyList } from "@/lib/lists";
import { DestinationClient } from "./client.tsx";

const head = headOf({ title: "destination", parts: ["destinations", "states"] });

export const generateMetadata = titleOf(head);

export default page<"id", "destinations">(
  { ...head, filters: copyList.empty },
  async ({ params: { id }, search, requestRoute, need }) => {
    const query = copiesTo(id).queryOf(copyList.viewOf(search), Date.now());
    const [destination, copies] = await Promise.all([
      need(requestRoute("GET /destinations/{id}", { params: { id } })),
      requestRoute("GET /copies", { query }),
    ]);
    return (
      <>
        <ReturnToRow list="/destinations" />
        <DestinationClient
          key={id}
          initial={destination}
          copies={{ query, list: copies.ok ? copies.data : copies.error }}
        />
      </>
    );
  },
);
