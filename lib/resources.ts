import type { IdKind, IdPrefix } from "#contract/resources.ts";
import { idsIn } from "./ids-in.ts";

/** A kind of thing whose ids lead to a page of the console. */
interface ThingPage<Kind extends IdKind> {
  prefix: IdPrefix<Kind>;
  /** What following an id does. */
  label: string;
  /** The address, before the id. */
  path: string;
}

/**
 * What the console knows of each kind of thing by its id; the descriptions themselves are in `contract/resources.ts`, of which
 * the browser loads only the types.
 */
const thingPages = {
  prediction: { prefix: "pred", label: "Open prediction", path: "/predictions/" },
  batch: { prefix: "batch", label: "Open batch", path: "/batches/" },
  preset: { prefix: "pst", label: "Open preset", path: "/presets/" },
  conversation: { prefix: "conv", label: "Open conversation", path: "/conversations/" },
  endpoint: { prefix: "we", label: "Open endpoint", path: "/webhooks/endpoints/" },
  destination: { prefix: "dst", label: "Open destination", path: "/destinations/" },
  delivery: { prefix: "dlv", label: "Open delivery", path: "/webhooks/deliveries/" },
  request: { prefix: "req", label: "Open request", path: "/requests/" },
  event: { prefix: "evt", label: "Deliveries of event", path: "/webhooks/deliveries?event_id=" },
} satisfies { [Kind in IdKind]?: ThingPage<Kind> };

/** The console's page for an id; undefined if its kind has none. */
export function idHref(id: string): string | undefined {
  const page = pageOf(id);
  return page && `${page.path}${id}`;
}

/**
 * The page for the identifier in `text`, even if copied with quotes, its name or its address; null: there is
 * none.
 */
export function goToId(text: string): { label: string; href: string; id: string } | null {
  for (const id of idsIn(text)) {
    const page = pageOf(id);
    if (page) return { label: page.label, href: `${page.path}${id}`, id };
  }
  return null;
}

/** Whether a text has the form of an identifier with this prefix. */
export function hasIdForm(prefix: IdPrefix<IdKind>, text: unknown): text is string {
  return typeof text === "string" && new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(text);
}

function pageOf(id: string): ThingPage<IdKind> | undefined {
  return Object.values(thingPages).find(({ prefix }) => id.startsWith(`${prefix}_`));
}
