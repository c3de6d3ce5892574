"use client";

import type { OperatorProvider } from "#contract/operator/providers.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import type { MappableModel } from "@/components/operator/routes/model-choice";
import { RouteEditor } from "@/components/operator/routes/route-editor";
import { useChange } from "@/components/operator/use-change";
import { usePageRouter } from "@/components/ui/page/use-place";
import { formatCount } from "@/lib/format";
import { saveRoute } from "@/lib/operator/route-actions";

interface RouteClientProps {
  /** Null for a new route. */
  id: string | null;
  /** Revision of the table when this page was read. */
  revision: number;
  initial: Partial<RouteEntry>;
  models: readonly MappableModel[];
  providers: readonly OperatorProvider[];
  readOnly?: boolean;
}

/** Edits one route, saves it and returns to the table. */
export function RouteClient({ id, revision, readOnly, ...rest }: RouteClientProps) {
  const router = usePageRouter();
  const { change } = useChange();
  const save = (entry: RouteEntry) => {
    const what = `${formatCount(entry.models.length, "model")} to ${entry.upstream_model} at ${entry.provider}`;
    return change(saveRoute(id, entry, revision), id ? `Route changed: ${what}` : `Mapped ${what}`, () =>
      router.push("/operator/mapping"),
    );
  };
  return (
    <RouteEditor {...rest} submit={readOnly ? null : save} submitLabel={id ? "Save changes" : "Add route"} />
  );
}
