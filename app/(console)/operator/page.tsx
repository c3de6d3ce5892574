import { redirect } from "next/navigation";
import { instanceHref } from "@/components/shell/navigation";
import { inAccount } from "@/lib/account-path";
import { addressedAccount } from "@/lib/server/session";

/** The operators' place has no page of its own; who shortens an address comes to where they enter it. */
export default async function OperatorPage() {
  redirect(inAccount(await addressedAccount(), instanceHref));
}
