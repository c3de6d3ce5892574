import type { Metadata } from "next";
import { unlockedBy } from "@/lib/attestations/gates";
import { getAttestationDesk, getModels } from "@/lib/server/gateway/reads";
import { requireSession } from "@/lib/server/session";
import { AttestationsClient } from "./client";

export const metadata: Metadata = { title: "Attestations" };

export default async function AttestationsPage() {
  await requireSession();
  const [desk, models] = await Promise.all([getAttestationDesk(), getModels()]);
  return <AttestationsClient desk={desk} unlocked={unlockedBy(models.ok ? models.data.data : [])} />;
}
