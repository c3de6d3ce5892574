import type { Metadata } from "next";
import { loadAttestationDesk } from "@/lib/attestations/actions";
import { unlockedBy } from "@/lib/attestations/unlocked";
import { listModels } from "@/lib/server/gateway/catalog";
import { requireSession } from "@/lib/server/session";
import { AttestationsClient } from "./client";

export const metadata: Metadata = { title: "Attestations" };

export default async function AttestationsPage() {
  await requireSession();
  const [desk, models] = await Promise.all([loadAttestationDesk(), listModels()]);
  return <AttestationsClient desk={desk} unlocked={unlockedBy(models.ok ? models.data.data : [])} />;
}
