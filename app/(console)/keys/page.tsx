import type { Metadata } from "next";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { listKeys } from "@/lib/server/gateway/account";
import { listModels } from "@/lib/server/gateway/catalog";
import { requireSession } from "@/lib/server/session";
import { KeysClient } from "./client";

export const metadata: Metadata = { title: "Keys" };

export default async function KeysPage({ searchParams }: RouteProps) {
  await requireSession();
  const [keys, models] = await Promise.all([listKeys(pageQueryOf(await searchParams)), listModels()]);
  return <KeysClient keys={keys} modelIds={models.ok ? models.data.data.map((model) => model.id) : []} />;
}
