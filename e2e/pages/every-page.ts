import type { SeedData } from "../seed-data.ts";

export interface ConsolePage {
  name: string;
  path: string;
}

/** Every signed-in page of the console; `:prediction` and the like stand for ids of seed data. */
export const consolePages: readonly ConsolePage[] = [
  { name: "home", path: "/" },
  { name: "catalog", path: "/catalog" },
  { name: "catalog entry", path: "/catalog/svc/img-gen-a-1" },
  { name: "catalog compare", path: "/catalog/compare?ids=svc/tts-a-1,svc/tts-b-1" },
  { name: "playground of a chat", path: "/playground/svc/chat-1/chat-completions" },
  { name: "playground of a gated video", path: "/playground/svc/adult-i2v-1/video-generation" },
  { name: "playground of several models", path: "/compare?operation=svc/chat-1:chat-completions" },
  { name: "batches", path: "/batches" },
  { name: "batch, run", path: "/batches/:batch" },
  { name: "batch, a comparison", path: "/batches/:comparison" },
  { name: "batch, new", path: "/batches/new" },
  { name: "predictions", path: "/predictions" },
  { name: "gallery", path: "/predictions?view=gallery" },
  { name: "prediction", path: "/predictions/:prediction" },
  { name: "prediction comparison", path: "/predictions/compare?ids=:prediction" },
  { name: "shared links", path: "/predictions/shared" },
  { name: "library", path: "/library" },
  { name: "presets", path: "/presets" },
  { name: "conversations", path: "/conversations" },
  { name: "preset", path: "/presets/:preset?from=1&to=2" },
  { name: "uploads", path: "/uploads" },
  { name: "check of a file", path: "/library/check-a-file" },
  { name: "activity", path: "/activity" },
  { name: "endpoints", path: "/webhooks/endpoints" },
  { name: "endpoint", path: "/webhooks/endpoints/:endpoint" },
  { name: "event types", path: "/webhooks/event-types" },
  { name: "deliveries", path: "/webhooks/deliveries" },
  { name: "delivery", path: "/webhooks/deliveries/:delivery" },
  { name: "destinations", path: "/destinations" },
  { name: "destination", path: "/destinations/:destination" },
  { name: "attestations", path: "/attestations" },
  { name: "usage", path: "/usage" },
  { name: "keys", path: "/keys" },
  { name: "connections", path: "/settings/connections" },
  { name: "aliases", path: "/aliases" },
  { name: "requests", path: "/requests" },
  { name: "audit log", path: "/audit-log" },
  { name: "status and regions", path: "/status-and-regions" },
  { name: "team", path: "/settings/team" },
  { name: "profile", path: "/settings/profile" },
  { name: "settings", path: "/settings" },
  { name: "notices", path: "/notices" },
  { name: "notifications", path: "/settings/notifications" },
  { name: "first steps of the instance", path: "/operator/first-steps" },
  { name: "editor: a provider in three steps", path: "/operator/first-steps/connect" },
  { name: "providers", path: "/operator/providers" },
  { name: "editor: presets of providers", path: "/operator/providers/new" },
  { name: "mapping", path: "/operator/mapping" },
  { name: "editor of a new route", path: "/operator/mapping/new" },
  { name: "models of the instance", path: "/operator/models" },
  { name: "model of the specification", path: "/operator/models/svc/chat-1" },
  { name: "editor: prices", path: "/operator/prices" },
  { name: "editor of a price", path: "/operator/prices/set?model=svc/chat-1&api_type=chat-completions" },
  { name: "editor: usage of all accounts", path: "/operator/all-usage" },
  { name: "editor: comparison with a bill", path: "/operator/all-usage/bill" },
  { name: "health of upstreams", path: "/operator/health" },
  { name: "accounts of the installation", path: "/operator/accounts" },
  { name: "changes of the configuration", path: "/operator/changes" },
  { name: "signing of outputs", path: "/operator/signing" },
  { name: "mail of the instance", path: "/operator/mail" },
  { name: "editor of a new provider", path: "/operator/providers/new?preset=openai" },
  { name: "editor of a new model", path: "/operator/models/new" },
  { name: "guides", path: "/guides" },
  { name: "guide with receivers", path: "/guides/webhooks" },
  { name: "guide with tables", path: "/guides/errors" },
  { name: "API reference", path: "/api-reference" },
];

/** Every signed-in page, with data. */
export function everyPage(seedData: SeedData): ConsolePage[] {
  return consolePages.map(({ name, path }) => ({ name, path: withIds(path, seedData) }));
}

/** The path of a page with the ids of this account. */
export function withIds(path: string, seedData: SeedData): string {
  return path.replace(/:(\w+)/g, (_, thing: keyof SeedData) => seedData[thing]);
}
