"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { settled } from "@/lib/browser/settled";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";

/** Runs changes of one endpoint: a success renews what the page shows, a failure is for the caller to tell. */
export function useEndpointChange(id: string, onFailure?: (failure: GatewayFailure) => void) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);

  /** Also what every page says about stopped endpoints. */
  const renewLists = () => queryClient.invalidateQueries({ queryKey: queryKeys.endpoints() });
  const renew = () => {
    renewLists();
    queryClient.invalidateQueries({ queryKey: queryKeys.endpoint(id) });
    queryClient.invalidateQueries({ queryKey: queryKeys.deliveries() });
  };

  /** `gone`: nothing is left to be renewed. */
  const change = async <Data>(
    call: ActionResult<Data>,
    done: (data: Data) => void,
    { gone = false }: { gone?: boolean } = {},
  ) => {
    setBusy(true);
    setFailure(null);
    const answer = await settled(call);
    setBusy(false);
    if (!answer.ok) {
      setFailure(answer.error);
      onFailure?.(answer.error);
      return;
    }
    done(answer.data);
    if (gone) renewLists();
    else renew();
  };

  return { busy, failure, change, renew };
}
