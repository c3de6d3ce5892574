import { idPrefixes } from "#contract/ids.ts";

const pages: { prefix: string; label: string; path: string }[] = [
  { prefix: idPrefixes.prediction, label: "Open prediction", path: "/predictions/" },
  { prefix: idPrefixes.batch, label: "Open batch", path: "/batches/" },
  { prefix: idPrefixes.preset, label: "Open preset", path: "/presets/" },
  { prefix: idPrefixes.endpoint, label: "Open endpoint", path: "/webhooks/endpoints/" },
  { prefix: idPrefixes.destination, label: "Open destination", path: "/destinations/" },
  { prefix: idPrefixes.delivery, label: "Open delivery", path: "/webhooks/deliveries/" },
  { prefix: idPrefixes.request, label: "Open request", path: "/requests/" },
  { prefix: idPrefixes.event, label: "Deliveries of event", path: "/webhooks/deliveries?event_id=" },
];

/** Where an identifier leads, or null when `text` is none. */
export function goToId(text: string): { label: string; href: string; id: string } | null {
  const id = text.trim().toLowerCase();
  const page = pages.find(({ prefix }) => id.startsWith(`${prefix}_`));
  if (!page || !/^[a-z]+_[0-9a-z]{26}$/.test(id)) return null;
  return { label: page.label, href: `${page.path}${id}`, id };
}
