import { ArrowRight } from "lucide-react";
import type { CatalogModel } from "#contract/catalog.ts";
import type { ApiType } from "#contract/catalog-constants.ts";
import { useWords } from "#words";
import { ModelCover } from "@/components/catalog/model-cover";
import { gatesOf, playgroundOf, rowOf } from "@/components/catalog/row";
import { Link } from "@/components/ui/page/link";

/** What most people try first, and what the link says. */
const tries: readonly [apiType: ApiType, label: "tryPicture" | "tryChat" | "tryVideo"][] = [
  ["image-generation", "tryPicture"],
  ["chat-completions", "tryChat"],
  ["video-generation", "tryVideo"],
];

/** The newest model of a kind that everybody may run at once, without an attestation or a file. */
function modelFor(apiType: ApiType, models: readonly CatalogModel[]): CatalogModel | undefined {
  return models
    .filter((model) => {
      const [first] = model.operations;
      const isReady = model.healthy_regions.length > 0 && gatesOf(model)[0] === "none";
      return isReady && first?.api_type === apiType && !needsMedia(first.example);
    })
    .sort((one, other) => other.latest_release_at.localeCompare(one.latest_release_at))[0];
}

function needsMedia(example: Readonly<Record<string, unknown>>): boolean {
  return /"(https?|data):/.test(JSON.stringify(example));
}

/** Three models to begin with, for an account in which nothing has run yet. */
export function TryCovers({
  models,
  showsMedia,
}: {
  models: readonly CatalogModel[];
  showsMedia: (url: string) => boolean;
}) {
  const t = useWords("home");
  const purposes = useWords("purposes");
  const cards = tries.flatMap(([apiType, label]) => {
    const model = modelFor(apiType, models);
    return model ? [{ label, ...rowOf(purposes, model, showsMedia) }] : [];
  });
  if (cards.length === 0) return null;
  return (
    <ul aria-label={t("modelsToTry")} className="mb-6 grid gap-4 tablet:grid-cols-3">
      {cards.map(({ id, displayName, purpose, modality, apiTypes, coverUrl, label }) => (
        <li key={id}>
          <Link
            href={playgroundOf({ id, apiTypes })}
            className="block h-full overflow-hidden rounded-panel border bg-panel hover:border-strong"
          >
            <ModelCover {...{ id, modality, apiTypes }} url={coverUrl} className="aspect-2/1! border-b" />
            <span className="flex items-center gap-2 px-3 pt-2 font-medium text-accent">
              {t(label)}
              <ArrowRight size={16} aria-hidden />
            </span>
            <span className="block px-3 pb-2 text-table text-muted">
              {t("nameAndPurpose", { name: displayName ?? id, purpose })}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
