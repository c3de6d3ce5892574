import { globSync } from "node:fs";
import type { SeedData } from "../seed-data.ts";

export interface ConsolePage {
  name: string;
  path: string;
}

/** Pages with an id or a query, and those with a script budget of their own; `:prediction` and the like stand for ids of seed data. */
const rows: readonly ConsolePage[] = [
  { name: "home", path: "/" },
  { name: "catalog entry", path: "/catalog/svc/img-gen-a-1" },
  { name: "catalog compare", path: "/catalog/compare?ids=svc/tts-a-1,svc/tts-b-1" },
  { name: "playground of a chat", path: "/playground/svc/chat-1/chat-completions" },
  { name: "playground of a gated video", path: "/playground/svc/adult-i2v-1/video-generation" },
  { name: "playground of several models", path: "/compare?operation=svc/chat-1:chat-completions" },
  { name: "batch, run", path: "/batches/:batch" },
  { name: "batch, a comparison", path: "/compare/:comparison" },
  { name: "earlier comparisons", path: "/compare/earlier" },
  { name: "batch, new", path: "/batches/new" },
  { name: "predictions", path: "/predictions" },
  { name: "gallery", path: "/predictions?view=gallery" },
  { name: "prediction", path: "/predictions/:prediction" },
  { name: "prediction comparison", path: "/predictions/compare?ids=:prediction" },
  { name: "preset", path: "/presets/:preset?from=1&to=2" },
  { name: "endpoint", path: "/webhooks/endpoints/:endpoint" },
  { name: "delivery", path: "/webhooks/deliveries/:delivery" },
  { name: "destination", path: "/destinations/:destination" },
  { name: "usage", path: "/usage" },
  { name: "editor: a provider in three steps", path: "/operator/first-steps/connect" },
  { name: "editor: presets of providers", path: "/operator/providers/new" },
  { name: "editor of a new route", path: "/operator/mapping/new" },
  { name: "model of the specification", path: "/operator/models/svc/chat-1" },
  { name: "editor: prices", path: "/operator/prices" },
  { name: "editor of a price", path: "/operator/prices/set?model=svc/chat-1&api_type=chat-completions" },
  { name: "editor: usage of all accounts", path: "/operator/all-usage" },
  { name: "editor: comparison with a bill", path: "/operator/all-usage/bill" },
  { name: "editor of a new provider", path: "/operator/providers/new?preset=openai" },
  { name: "editor of a new model", path: "/operator/models/new" },
  { name: "guide with receivers", path: "/guides/webhooks" },
  { name: "guide with tables", path: "/guides/errors" },
];

/** All other pages, named by their folders. */
const plainPages = globSync("app/(console)/**/page.tsx")
  .map((file) => file.replace(/^app|\/page\.tsx$|\/\([^)]*\)/g, ""))
  .filter((path) => !path.includes("["))
  .filter((path) => !rows.some((row) => row.path.split("?")[0] === (path || "/")))
  .map((path) => ({ name: path.slice(1), path }));

/** Every signed-in page of the console whose address is known. */
export const consolePages: readonly ConsolePage[] = [...rows, ...plainPages];

/** Every signed-in page, with data. */
export function everyPage(seedData: SeedData): ConsolePage[] {
  return consolePages.map(({ name, path }) => ({ name, path: withIds(path, seedData) }));
}

/** The path of a page with the ids of this account. */
export function withIds(path: string, seedData: SeedData): string {
  return path.replace(/:(\w+)/g, (whole, thing: keyof SeedData) => seedData[thing] ?? whole);
}
