import { page } from "@/app/console-page";
import { RequestReport } from "@/components/audit/request-report";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { shortenId } from "@/lib/format";
import type { RouteProps } from "@/lib/page-props";

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  return { title: `Request ${shortenId((await params).id)}` };
}

export default page<"id">({ title: "Request" }, async ({ params: { id }, requestRoute, need }) => {
  const request = await need(requestRoute("GET /requests/{id}", { params: { id } }));
  return (
    <>
      <ReturnToRow list="/requests" />
      <RequestReport request={request} />
    </>
  );
});
