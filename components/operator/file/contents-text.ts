import type { ProvidersFileImported } from "#contract/operator/file.ts";
import { formatCount } from "@/lib/format";

interface Counts {
  providers: number;
  models: number;
  routes: number;
  aliases: number;
  prices: number;
}

/** For example, "2 providers, 3 models and 1 route". */
export function contentsText({ providers, models, routes, aliases, prices }: Counts): string {
  const counts = [
    formatCount(providers, "provider"),
    ...(models > 0 ? [formatCount(models, "model")] : []),
    formatCount(routes, "route"),
    ...(aliases > 0 ? [formatCount(aliases, "alias", "aliases")] : []),
    ...(prices > 0 ? [formatCount(prices, "price")] : []),
  ];
  return `${counts.slice(0, -1).join(", ")} and ${counts.at(-1)}`;
}

type Brought = Pick<ProvidersFileImported, "created" | "models" | "routes" | "aliases" | "prices">;

/** What an import adds or would add, for example "2 providers and 3 models". */
export function importedText({ created, models, routes, aliases, prices }: Brought): string {
  const [providers, added, named] = [created, models, aliases].map((list) => list.length);
  return contentsText({ providers, models: added, routes, aliases: named, prices } as Counts);
}
