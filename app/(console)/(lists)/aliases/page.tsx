import type { Metadata } from "next";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { AliasesClient } from "./client";

export const metadata: Metadata = { title: "Aliases" };

export default async function AliasesPage() {
  await requireSession();
  const [aliases, models] = await Promise.all([requestRoute("GET /aliases"), getModels()]);
  const choices = models.ok
    ? models.data.data.map(({ id, api_types }) => ({ id, apiTypes: [...api_types] }))
    : [];
  return <AliasesClient aliases={aliases} models={choices} />;
}
