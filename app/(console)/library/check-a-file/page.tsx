import type { Metadata } from "next";
import { CheckFile } from "@/components/provenance/check-file";
import { PageHeader } from "@/components/ui/page/page-header";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Check a file" };

export default async function VerifyPage() {
  await requireSession();
  return (
    <>
      <PageHeader title="Check a file" description="Check where a file or a receipt comes from." />
      <CheckFile />
    </>
  );
}
