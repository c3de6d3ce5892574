import { idPrefixes } from "#contract/ids.ts";
import { idsIn } from "@/lib/ids-in";

const pages: { prefix: string; label: string; path: string }[] = [
  { prefix: idPrefixes.prediction, label: "Open prediction", path: "/predictions/" },
  { prefix: idPrefixes.batch, label: "Open batch", path: "/batches/" },
  { prefix: idPrefixes.preset, label: "Open preset", path: "/presets/" },
  { prefix: idPrefixes.conversation, label: "Open conversation", path: "/conversations/" },
  { prefix: idPrefixes.endpoint, label: "Open endpoint", path: "/webhooks/endpoints/" },
  { prefix: idPrefixes.destination, label: "Open destination", path: "/destinations/" },
  { prefix: idPrefixes.delivery, label: "Open delivery", path: "/webhooks/deliveries/" },
  { prefix: idPrefixes.request, label: "Open request", path: "/requests/" },
  { prefix: idPrefixes.event, label: "Deliveries of event", path: "/webhooks/deliveries?event_id=" },
];

/**
 * The page for the identifier in `text`, even if copied with quotes, its name or its address; null: there is
 * none.
 */
export function goToId(text: string): { label: string; href: string; id: string } | null {
  for (const id of idsIn(text)) {
    const page = pages.find(({ prefix }) => id.startsWith(`${prefix}_`));
    if (page) return { label: page.label, href: `${page.path}${id}`, id };
  }
  return null;
}
