import { redirect } from "next/navigation";
import { inAccount } from "@/lib/account-path";
import { addressedAccount } from "@/lib/server/session";

/** The part of the rail has no page of its own; who shortens an address comes to its first one. */
export default async function WebhooksPage() {
  redirect(inAccount(await addressedAccount(), "/webhooks/endpoints"));
}
