import type { Endpoint } from "#contract/webhook.ts";
import { formatCount } from "@/lib/format";

/** What to say once an endpoint was enabled, from the gateway's own count. */
export function enabledToast({ resumed }: Endpoint): { title: string } {
  if (!resumed || resumed.deliveries === 0) return { title: "Endpoint enabled" };
  const count = formatCount(resumed.deliveries, "delivery", "deliveries");
  return {
    title:
      resumed.action === "send" ? `Endpoint enabled: ${count} queued` : `Endpoint enabled: ${count} dropped`,
  };
}
