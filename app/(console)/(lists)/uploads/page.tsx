import { listPage, titleOf } from "@/app/console-page";
import { UploadsView } from "@/components/uploads/uploads-view";
import { uploadList } from "@/lib/lists";

const head = { title: "uploads" } as const;

export const generateMetadata = titleOf(head);

export default listPage(
  {
    ...head,
    description: "Private input files, removed after 24 hours.",
    list: uploadList,
    notOffered: <UploadsView initial={null} />,
  },
  async ({ query, requestRoute, need }) => {
    const list = await need(requestRoute("GET /uploads", { query }));
    return <UploadsView initial={{ query, list }} />;
  },
);
