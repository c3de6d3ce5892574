import { useState } from "react";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";

interface Change {
  busy: boolean;
  failure: GatewayFailure | null;
  /** Null: it failed, which `failure` says, or was given up. */
  run: <Data>(work: () => Promise<GatewayResult<Data | null>>) => Promise<Data | null>;
}

/** One change in a dialog, which shows why it failed. */
export function useChange(): Change {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  return {
    busy,
    failure,
    async run(work) {
      setBusy(true);
      setFailure(null);
      const result = await work();
      setBusy(false);
      if (result.ok) return result.data;
      setFailure(result.error);
      return null;
    },
  };
}
