import type { ProvidersFileImported } from "#contract/operator/file.ts";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

interface Counts {
  providers: number;
  models: number;
  routes: number;
  aliases: number;
  prices: number;
}

/** For example, "2 providers, 3 models and 1 route". */
export function contentsText(
  t: Words<"providers">,
  { providers, models, routes, aliases, prices }: Counts,
): string {
  return listText(t.language, [
    t("countProviders", { count: providers }),
    ...(models > 0 ? [t("countModels", { count: models })] : []),
    t("countRoutes", { count: routes }),
    ...(aliases > 0 ? [t("countAliases", { count: aliases })] : []),
    ...(prices > 0 ? [t("countPrices", { count: prices })] : []),
  ]);
}

type Brought = Pick<ProvidersFileImported, "created" | "models" | "routes" | "aliases" | "prices">;

/** What an import adds or would add, for example "2 providers and 3 models". */
export function importedText(
  t: Words<"providers">,
  { created, models, routes, aliases, prices }: Brought,
): string {
  const [providers, added, named] = [created, models, aliases].map((list) => list.length);
  return contentsText(t, { providers, models: added, routes, aliases: named, prices } as Counts);
}
