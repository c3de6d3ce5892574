"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { failureToast } from "@/components/ui/failure-toast";
import { useToast } from "@/components/ui/toast";
import { settled } from "@/lib/browser/settled";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";

/** Runs changes of one endpoint: a failure is told, a success renews what the page shows. */
export function useEndpointChange(id: string) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);

  const renew = () => {
    queryClient.invalidateQueries({ queryKey: queryKeys.endpoint(id) });
    queryClient.invalidateQueries({ queryKey: queryKeys.deliveries() });
  };

  /** `gone`: nothing is left to be renewed. */
  const change = async <Data>(
    call: Promise<GatewayResult<Data>>,
    done: (data: Data) => void,
    { gone = false }: { gone?: boolean } = {},
  ) => {
    setBusy(true);
    const answer = await settled(call);
    setBusy(false);
    if (!answer.ok) return toast(failureToast(answer.error));
    done(answer.data);
    if (!gone) renew();
  };

  return { busy, change, renew };
}
