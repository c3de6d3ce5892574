import { formatCount } from "@/lib/format";

/** "2 providers and 1 route" */
export function contentsText(providers: number, routes: number): string {
  return `${formatCount(providers, "provider")} and ${formatCount(routes, "route")}`;
}
