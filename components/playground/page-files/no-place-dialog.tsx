"use client";

import { useQuery } from "@tanstack/react-query";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import type { MediaKind } from "@/lib/browser/accepted-types";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { mediaPlaces } from "@/lib/schema-form/media-places";
import { planForm } from "@/lib/schema-form/plan-form";

const mostNamed = 6;
const words: Record<MediaKind, string> = { image: "pictures", audio: "sound", video: "videos" };

interface NoPlaceDialogProps {
  kind: MediaKind;
  model: CatalogModel;
  /** It takes such files, and has as many as it takes. */
  isFull: boolean;
  onClose: () => void;
}

/** Says that an operation takes no such file, and which ones do. */
export function NoPlaceDialog({ kind, model, isFull, onClose }: NoPlaceDialogProps) {
  const list = useQuery({
    queryKey: ["models that take", kind],
    queryFn: ({ signal }) => fetchRoute("GET /models", { signal }),
  });
  const failure = failureBehind(list.error);
  const able = list.data ? operationsWith(list.data.data, kind, model) : [];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={
        isFull ? `This input has all the ${words[kind]} it takes` : `${model.id} takes no ${words[kind]}`
      }
      description={able.length > 0 ? `These ${isFull ? "also " : ""}take ${words[kind]}:` : undefined}
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton className="h-24" />}
      {list.isSuccess && able.length === 0 && (
        <p className="text-muted">No model of this gateway takes {words[kind]}.</p>
      )}
      <ul className="flex flex-col gap-1.5">
        {able.map(({ model: { id }, operation: { api_type: apiType } }, at) => (
          <li key={`${id} ${apiType}`}>
            <Link
              href={`/playground/${id}/${apiType}`}
              {...(at === 0 && { "data-autofocus": true })}
              className="font-mono text-table text-accent hover:underline"
            >
              {id}
            </Link>{" "}
            <span className="text-meta text-muted">{apiType}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface Able {
  model: CatalogModel;
  operation: CatalogOperation;
}

/** What takes such a file: first those that make the same kind of thing and ask for no confirmation. */
function operationsWith(
  models: readonly CatalogModel[],
  kind: MediaKind,
  { modality }: CatalogModel,
): Able[] {
  const rank = ({ model }: Able) =>
    Number(model.modality !== modality) + 2 * Number(Object.values(model.safety_requirements).includes(true));
  return models
    .flatMap((model) => model.operations.map((operation) => ({ model, operation })))
    .filter(({ model, operation }) => mediaPlaces(planForm(model, operation), {}, kind).length > 0)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostNamed);
}
