import { redirect } from "next/navigation";
import { inAccount } from "@/lib/account-path";
import { addressedAccount } from "@/lib/server/session";

/** `/webhooks` has no page of its own: redirect to the first page of this section. */
export default async function WebhooksPage() {
  redirect(inAccount(await addressedAccount(), "/webhooks/endpoints"));
}
