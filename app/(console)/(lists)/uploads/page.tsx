import { headOf, listPage, titleOf } from "@/app/console-page";
import { UploadsView } from "@/components/uploads/uploads-view";
import { uploadList } from "@/lib/lists";

const head = headOf({
  title: "uploads",
  parts: ["uploads", "media", "states"],
  description: "description",
  notOffered: <UploadsView initial={null} />,
});

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: uploadList }, async ({ query, requestRoute, need }) => {
  const list = await need(requestRoute("GET /uploads", { query }));
  return <UploadsView initial={{ query, list }} />;
});
