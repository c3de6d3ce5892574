import { redirect } from "next/navigation";
import { instanceHref } from "@/components/shell/navigation";
import { inAccount } from "@/lib/account-path";
import { addressedAccount } from "@/lib/server/session";

/** `/operator` has no page of its own: redirect to the first page of this section. */
export default async function OperatorPage() {
  redirect(inAccount(await addressedAccount(), instanceHref));
}
