import { page, titleOf } from "@/app/console-page";
import { CheckFile } from "@/components/provenance/check-file";

const head = { title: "checkFile" } as const;

export const generateMetadata = titleOf(head);

export default page({ ...head, description: "Check where a file or a receipt comes from." }, () => (
  <CheckFile />
));
