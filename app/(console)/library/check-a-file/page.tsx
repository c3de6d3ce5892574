import type { Metadata } from "next";
import { CheckFile } from "@/components/provenance/check-file";
import { PageHeader } from "@/components/ui/page/page-header";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Check a file" };

export default async function VerifyPage() {
  await requireSession();
  return (
    <>
      <PageHeader
        title="Check a file"
        description="A file's stated origin and maker, or whether a receipt is valid."
      />
      <CheckFile />
    </>
  );
}
