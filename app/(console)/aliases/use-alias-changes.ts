"use client";

import type { Alias, AliasCreate } from "#contract/aliases.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { changeAlias, makeAlias, removeAlias } from "./actions";

/** Each change is done at once and says so, with an Undo. */
export function useAliasChanges() {
  const router = usePageRouter();
  const { toast } = useToast();

  const run = async <Data>(
    call: ActionResult<Data>,
    said: string,
    undo: (data: Data) => ActionResult<unknown>,
  ): Promise<GatewayFailure | null> => {
    const answer = await answerOf(call);
    if (!answer.ok) return answer.error;
    const takeBack = async () => {
      const undone = await answerOf(undo(answer.data));
      toast(undone.ok ? { title: "Undone" } : await failureToast(undone.error, "Not undone"));
      router.refresh();
    };
    toast({ title: said, action: { label: "Undo", onClick: () => void takeBack() } });
    router.refresh();
    return null;
  };

  return {
    save(before: Alias | null, values: AliasCreate): Promise<GatewayFailure | null> {
      if (!before) return run(makeAlias(values), `${values.name} added`, ({ id }) => removeAlias(id));
      const { for_everyone: _, ...change } = values;
      const { name, models, go_on_when } = before;
      return run(changeAlias(before.id, change), `${values.name} changed`, ({ id }) =>
        changeAlias(id, { name, models, go_on_when }),
      );
    },
    async remove({ id, name, models, go_on_when, for_everyone }: Alias): Promise<void> {
      const failure = await run(removeAlias(id), `${name} deleted`, () =>
        makeAlias({ name, models, go_on_when, for_everyone }),
      );
      if (failure) toast(await failureToast(failure));
    },
  };
}
