import type { Endpoint } from "#contract/webhook.ts";
import { formatCount } from "@/lib/format";

/** The toast after enabling an endpoint, with the gateway's count of resumed deliveries. */
export function enabledToast({ resumed }: Endpoint): { title: string } {
  if (!resumed || resumed.deliveries === 0) return { title: "Endpoint enabled" };
  const count = formatCount(resumed.deliveries, "delivery", "deliveries");
  return {
    title:
      resumed.action === "send" ? `Endpoint enabled: ${count} queued` : `Endpoint enabled: ${count} dropped`,
  };
}
