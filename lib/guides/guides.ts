import {
  agentsGuide,
  capsGuide,
  clientsGuide,
  firstCallGuide,
  gatesGuide,
  streamingGuide,
} from "./content/first-calls.ts";
import {
  errorsGuide,
  idempotencyGuide,
  predictionsGuide,
  retentionGuide,
  uploadsGuide,
  webhooksGuide,
} from "./content/in-production.ts";
import type { Guide, GuideSlug } from "./guide.ts";

export const guides: Record<GuideSlug, Guide> = {
  "first-call": firstCallGuide,
  streaming: streamingGuide,
  clients: clientsGuide,
  agents: agentsGuide,
  "caps-per-task": capsGuide,
  uploads: uploadsGuide,
  predictions: predictionsGuide,
  webhooks: webhooksGuide,
  idempotency: idempotencyGuide,
  errors: errorsGuide,
  gates: gatesGuide,
  retention: retentionGuide,
};
