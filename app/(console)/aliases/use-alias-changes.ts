"use client";

import type { Alias, AliasCreate } from "#contract/aliases.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useUndoable } from "@/components/ui/page/use-undoable";
import { useToast } from "@/components/ui/toast";
import type { GatewayFailure } from "@/lib/gateway/result";
import { changeAlias, makeAlias, removeAlias } from "./actions";

/** Makes, changes and removes aliases; each can be undone. */
export function useAliasChanges() {
  const router = usePageRouter();
  const { toast } = useToast();
  const { change } = useUndoable(() => router.refresh());

  return {
    async save(before: Alias | null, values: AliasCreate): Promise<GatewayFailure | null> {
      const { for_everyone: _, ...update } = values;
      const done = before
        ? await change(
            changeAlias(before.id, update),
            ({ name }) => `${name} changed`,
            ({ id }) => {
              const { name, models, go_on_when, continue_streams } = before;
              return () => changeAlias(id, { name, models, go_on_when, continue_streams });
            },
          )
        : await change(
            makeAlias(values),
            ({ name }) => `${name} added`,
            ({ id }) =>
              () =>
                removeAlias(id),
          );
      return "failure" in done ? done.failure : null;
    },
    async remove({ id, name, models, go_on_when, continue_streams, for_everyone }: Alias): Promise<void> {
      const done = await change(
        removeAlias(id),
        () => `${name} deleted`,
        () => () => makeAlias({ name, models, go_on_when, continue_streams, for_everyone }),
      );
      if ("failure" in done) toast(await failureToast(done.failure));
    },
  };
}
