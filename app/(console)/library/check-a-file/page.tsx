import { headOf, page, titleOf } from "@/app/console-page";
import { CheckFile } from "@/components/provenance/check-file";

const head = headOf({ title: "checkFile", parts: ["provenance", "uploads"], description: "description" });

export const generateMetadata = titleOf(head);

export default page(head, () => <CheckFile />);
