import { agentsGuide } from "./content/agents.ts";
import { clientsGuide } from "./content/clients.ts";
import { errorsGuide } from "./content/errors.ts";
import { firstCallGuide } from "./content/first-call.ts";
import { gatesGuide } from "./content/gates.ts";
import { idempotencyGuide } from "./content/idempotency.ts";
import { predictionsGuide } from "./content/predictions.ts";
import { retentionGuide } from "./content/retention.ts";
import { streamingGuide } from "./content/streaming.ts";
import { uploadsGuide } from "./content/uploads.ts";
import { webhooksGuide } from "./content/webhooks.ts";
import type { Guide } from "./guide.ts";
import type { GuideSlug } from "./titles.ts";

export const guides: Record<GuideSlug, Guide> = {
  "first-call": firstCallGuide,
  streaming: streamingGuide,
  clients: clientsGuide,
  agents: agentsGuide,
  uploads: uploadsGuide,
  predictions: predictionsGuide,
  webhooks: webhooksGuide,
  idempotency: idempotencyGuide,
  errors: errorsGuide,
  gates: gatesGuide,
  retention: retentionGuide,
};
