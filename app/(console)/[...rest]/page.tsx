import { notFound, redirect } from "next/navigation";
import { titleOf } from "@/app/console-page";
import { instanceHref } from "@/components/shell/navigation";
import type { RouteProps } from "@/lib/page-props";
import { inAccount } from "@/lib/paths";
import { addressedAccount } from "@/lib/server/session";

export const generateMetadata = titleOf({ title: "notFound" });

/** Sections without a page of their own, with their first page. */
const firstPages = new Map([
  ["operator", instanceHref],
  ["webhooks", "/webhooks/endpoints"],
]);

/** A signed-in visitor at an unknown address gets "not found" inside the console's frame. */
export default async function UnknownPage({ params }: RouteProps<{ rest: string[] }>) {
  const firstPage = firstPages.get((await params).rest.join("/"));
  if (firstPage) redirect(inAccount(await addressedAccount(), firstPage));
  notFound();
}
