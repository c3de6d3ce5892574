"use client";

import { useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { useToast } from "@/components/ui/toast";
import { maxCompared } from "../compare/compare-link.ts";

const none: ReadonlySet<string> = new Set();

/** The predictions chosen for a comparison. */
export function useComparison() {
  const { toast } = useToast();
  const [ids, setIds] = useState(none);
  const toggle = ({ prediction_id: id }: Output) => {
    if (id === null)
      return toast({
        title: "Not compared",
        description:
          "Only predictions can be compared. This file came from a request that was answered at once.",
      });
    if (ids.size === maxCompared && !ids.has(id))
      return toast({ title: `At most ${maxCompared} are compared`, description: "Remove one first." });
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  return { ids, toggle, clear: () => setIds(none) };
}
