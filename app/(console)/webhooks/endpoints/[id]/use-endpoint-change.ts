"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { Endpoint } from "#contract/webhook.ts";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import type { Words } from "@/messages/words";

/** Changes an endpoint. On success the page's data is refreshed. On failure the caller shows the error. */
export function useEndpointChange(id: string, onFailure?: (failure: GatewayFailure) => void) {
  const queryClient = useQueryClient();
  const { busy, failure, send } = useSend();

  /** Also refreshes the warning about stopped endpoints on every page. */
  const renewLists = () => queryClient.invalidateQueries({ queryKey: queryKeys.endpoints() });
  const renew = () => {
    renewLists();
    queryClient.invalidateQueries({ queryKey: queryKeys.endpoint(id) });
    queryClient.invalidateQueries({ queryKey: queryKeys.deliveries() });
  };

  /** `gone`: the endpoint was removed, so only the lists are refreshed. */
  const change = async <Data>(
    call: ActionResult<Data>,
    done: (data: Data) => void,
    { gone = false }: { gone?: boolean } = {},
  ) => {
    const answer = await send(() => answerOf(call));
    if (!answer.ok) return onFailure?.(answer.error);
    done(answer.data);
    if (gone) renewLists();
    else renew();
  };

  return { busy, failure, change, renew };
}

/** The toast after enabling an endpoint, with the gateway's count of resumed deliveries. */
export function enabledToast(t: Words<"webhooks">, { resumed }: Endpoint): { title: string } {
  if (!resumed || resumed.deliveries === 0) return { title: t("endpointEnabled") };
  const { action, deliveries: count } = resumed;
  return { title: t("endpointEnabledWith", { count, action }) };
}
