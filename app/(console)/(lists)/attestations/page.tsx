import { page } from "@/app/console-page";
import { unlockedBy } from "@/lib/attestations/gates";
import { getAttestationDesk, getModels } from "@/lib/server/gateway/reads";
import { AttestationsClient } from "./client.tsx";

export const metadata = { title: "Attestations" };

export default page(metadata, async () => {
  const [desk, models] = await Promise.all([getAttestationDesk(), getModels()]);
  return <AttestationsClient desk={desk} unlocked={unlockedBy(models.ok ? models.data.data : [])} />;
});
