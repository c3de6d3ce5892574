import type { District } from "#gateway/platform/door.ts";
import { installBatches } from "./batches/batches.ts";
import { installOpenAiFiles } from "./batches/openai-files.ts";
import {
  batchDeadlineSweep,
  batchHistorySweep,
  batchInputSweep,
  batchOutputSweep,
} from "./batches/sweeps.ts";
import { startBatchWorker } from "./batches/worker.ts";
import { installContents } from "./contents/contents.ts";
import { installStoredCompletions } from "./contents/stored-completions.ts";
import type { RunsContext } from "./context.ts";
import { installOperations } from "./execution/routes.ts";
import { Guards } from "./guards/ask.ts";
import { installGuards } from "./guards/guards.ts";
import { guardSealSweep } from "./guards/secrets.ts";
import { installMessages } from "./messages/messages.ts";
import { createPredictionChanges } from "./predictions/changes.ts";
import { installPredictions } from "./predictions/predictions.ts";
import { predictionHistorySweep, predictionSweep } from "./predictions/remove-data.ts";
import { startPredictionWorker } from "./predictions/worker.ts";
import { installProvenance } from "./provenance/provenance.ts";
import { receiptKeySealSweep } from "./provenance/receipts/keys.ts";
import { installPublicReceiptKeys } from "./provenance/receipts/receipts.ts";
import { outputHistorySweep } from "./provenance/record.ts";
import { Signer } from "./provenance/signing/signer.ts";
import { startResponseWorker } from "./responses/background/worker.ts";
import { installResponses } from "./responses/routes.ts";
import { responseSweep } from "./responses/stored.ts";

export const runs: District<Omit<RunsContext, "signer" | "changes" | "guards">, RunsContext> = {
  async open(below, keep) {
    const { config, database, log } = below;
    return {
      ...below,
      signer: config.signing && (await Signer.open({ files: config.signing, log })),
      changes: keep(await createPredictionChanges(database)),
      guards: keep(await Guards.open(config, database, log)),
    };
  },
  routes: [
    installOperations,
    installResponses,
    installMessages,
    installGuards,
    installContents,
    installStoredCompletions,
    installPredictions,
    installBatches,
    installOpenAiFiles,
    installProvenance,
  ],
  rootRoutes: [installPublicReceiptKeys],
  workers: [startPredictionWorker, startBatchWorker, startResponseWorker],
  sweeps: [
    predictionSweep,
    batchDeadlineSweep,
    batchOutputSweep,
    batchInputSweep,
    responseSweep,
    predictionHistorySweep,
    batchHistorySweep,
    outputHistorySweep,
    receiptKeySealSweep,
    guardSealSweep,
  ],
};
