import { formatCount } from "@/lib/format";

interface Counts {
  providers: number;
  models: number;
  routes: number;
}

/** For example, "2 providers, 3 models and 1 route". */
export function contentsText({ providers, models, routes }: Counts): string {
  const counts = [
    formatCount(providers, "provider"),
    ...(models > 0 ? [formatCount(models, "model")] : []),
    formatCount(routes, "route"),
  ];
  return `${counts.slice(0, -1).join(", ")} and ${counts.at(-1)}`;
}

/** What an import adds or would add, for example "2 providers and 3 models". */
export function importedText({
  created,
  models,
  routes,
}: {
  created: readonly string[];
  models: readonly string[];
  routes: number;
}): string {
  return contentsText({ providers: created.length, models: models.length, routes });
}
