import { page } from "@/app/console-page";
import { CheckFile } from "@/components/provenance/check-file";

export const metadata = { title: "Check a file" };

export default page({ ...metadata, description: "Check where a file or a receipt comes from." }, () => (
  <CheckFile />
));
