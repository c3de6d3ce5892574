import { headOf, page, titleOf } from "@/app/console-page";
import { unlockedBy } from "@/lib/attestations/gates";
import { getAttestationDesk, getModels } from "@/lib/server/gateway/reads";
import { AttestationsClient } from "./client.tsx";

const head = headOf({ title: "attestations", parts: ["attestations"] });

export const generateMetadata = titleOf(head);

export default page(head, async () => {
  const [desk, models] = await Promise.all([getAttestationDesk(), getModels()]);
  return <AttestationsClient desk={desk} unlocked={unlockedBy(models.ok ? models.data.data : [])} />;
});
