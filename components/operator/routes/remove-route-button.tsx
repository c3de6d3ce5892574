"use client";

import { Trash2 } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { removeRoute } from "@/lib/operator/actions";
import { useChange } from "../use-change.ts";

/** Removes a route at once: the message about it has an Undo. */
export function RemoveRouteButton({ id, what, revision }: { id: string; what: string; revision: number }) {
  const { busy, press } = useChange();
  return (
    <IconButton
      size="sm"
      label={`Remove the route to ${what}`}
      icon={<Trash2 size={14} aria-hidden />}
      busy={busy}
      onClick={() => void press(removeRoute(id, revision), `Route to ${what} removed`)}
    />
  );
}
