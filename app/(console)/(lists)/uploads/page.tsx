import { listPage } from "@/app/console-page";
import { UploadsView } from "@/components/uploads/uploads-view";
import { uploadList } from "@/lib/lists";

export const metadata = { title: "Uploads" };

export default listPage(
  {
    ...metadata,
    description: "Private input files, removed after 24 hours.",
    list: uploadList,
    notOffered: <UploadsView initial={null} />,
  },
  async ({ query, requestRoute, need }) => {
    const list = await need(requestRoute("GET /uploads", { query }));
    return <UploadsView initial={{ query, list }} />;
  },
);
