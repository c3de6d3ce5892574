import { sessionSweep } from "./accounts/sign-in.ts";
import type { Sweep } from "./core/sweeps.ts";
import { idempotencyKeySweep } from "./http/idempotency.ts";
import { requestLogSweep } from "./http/request-log.ts";
import { predictionSweep } from "./predictions/remove-data.ts";
import { reservedFileSweep } from "./storage/reserved-files.ts";
import { uploadSweep } from "./uploads/expire.ts";
import { budgetReservationSweep } from "./usage/reservation-sweep.ts";
import { webhookDeliverySweep, webhookPayloadSweep, webhookSecretSweep } from "./webhooks/purge.ts";

/** Everything that removes expired data: outputs, inputs, payloads and internal records. */
export const sweeps: readonly Sweep[] = [
  predictionSweep,
  reservedFileSweep,
  uploadSweep,
  webhookPayloadSweep,
  webhookDeliverySweep,
  webhookSecretSweep,
  idempotencyKeySweep,
  requestLogSweep,
  sessionSweep,
  budgetReservationSweep,
];
