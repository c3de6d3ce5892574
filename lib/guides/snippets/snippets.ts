import { mcpClient } from "./agents.ts";
import { aiSdkClient, anthropicClient, responsesClient } from "./clients.ts";
import { gateRefusal, readError } from "./errors.ts";
import { findModels, firstCall } from "./first-call.ts";
import { polling, replicateClient, saveOutputs, waiting } from "./predictions.ts";
import { safeRetries } from "./retries.ts";
import { streaming } from "./streaming.ts";
import { uploads } from "./uploads.ts";
import { addEndpoint, retryDeadLetters } from "./webhooks.ts";

/** All code of the guides but the receivers, which are `verifySnippets`. The tests run each as it stands. */
export const guideSnippets = {
  firstCall,
  findModels,
  streaming,
  responsesClient,
  aiSdkClient,
  anthropicClient,
  mcpClient,
  uploads,
  polling,
  waiting,
  replicateClient,
  saveOutputs,
  addEndpoint,
  retryDeadLetters,
  safeRetries,
  readError,
  gateRefusal,
};

export type SnippetId = keyof typeof guideSnippets;
