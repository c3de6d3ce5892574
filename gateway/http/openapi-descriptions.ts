import { Type } from "typebox";
import type { ApiType } from "#contract/catalog.ts";

type Schema = Record<string, unknown>;

/** The title of each documented route in the API reference; a route without a line here is not documented. */
export interface RouteDescription {
  tag: string;
  summary: string;
  /** The operation kind whose catalog entries give the request body and the answers. */
  apiType?: ApiType;
  /** Answers that the route's own schema does not describe, by status. */
  answers?: Record<string, Schema>;
}

const withoutBody = (description: string): Schema => ({ type: "null", description });
const ofType = (contentType: string, description: string): Schema => ({
  description,
  content: { [contentType]: { schema: { type: "string" } } },
});
const notModified = { 304: withoutBody("The client has this version") };
const file = ofType("*/*", "The bytes");

const ServiceStatus = Type.Object({ status: Type.String() });

/** The documented parameters in place of a route's `*`. */
export const wildcardParams: Record<string, string[]> = {
  "/v1/models/*": ["namespace", "name"],
  "/v1/files/*": ["key"],
};

const tags = {
  catalog: "Catalog",
  operations: "Operations",
  predictions: "Predictions",
  uploads: "Uploads",
  webhooks: "Webhooks",
  account: "Account",
  service: "Service",
} as const;

export const routeDescriptions: Record<string, RouteDescription> = {
  "GET /v1/models": { tag: tags.catalog, summary: "List the catalog", answers: notModified },
  "GET /v1/models/{namespace}/{name}": {
    tag: tags.catalog,
    summary: "Read an entry of the catalog",
    answers: notModified,
  },
  "GET /v1/regions": { tag: tags.catalog, summary: "List the regions and their health" },
  "POST /v1/chat/completions": { tag: tags.operations, summary: "Chat", apiType: "chat-completions" },
  "POST /v1/audio/speech": { tag: tags.operations, summary: "Make speech", apiType: "text-to-speech" },
  "POST /v1/audio/transcriptions": {
    tag: tags.operations,
    summary: "Transcribe audio",
    apiType: "audio-transcription",
  },
  "POST /v1/audio/voices": {
    tag: tags.operations,
    summary: "Manage enrolled voices",
    apiType: "voice-management",
  },
  "POST /v1/images/generations": {
    tag: tags.operations,
    summary: "Generate images",
    apiType: "image-generation",
  },
  "POST /v1/images/edits": { tag: tags.operations, summary: "Edit images", apiType: "image-editing" },
  "POST /v1/videos": { tag: tags.operations, summary: "Make a video", apiType: "video-generation" },
  "POST /v1/videos/generations": {
    tag: tags.operations,
    summary: "Make a video; the same as POST /v1/videos",
    apiType: "video-generation",
  },
  "POST /v1/models/{namespace}/{name}/predictions": {
    tag: tags.operations,
    summary: "Run any operation in Replicate's shape",
  },
  "GET /v1/predictions/{id}": { tag: tags.predictions, summary: "Read a prediction" },
  "GET /v1/predictions": { tag: tags.predictions, summary: "List predictions" },
  "POST /v1/predictions/{id}/cancel": { tag: tags.predictions, summary: "Cancel a prediction" },
  "GET /v1/predictions/{id}/events": {
    tag: tags.predictions,
    summary: "Follow a prediction as server-sent events",
    answers: { 200: ofType("text/event-stream", "An event per change; its data is the prediction") },
  },
  "GET /v1/videos/{id}": { tag: tags.predictions, summary: "Read a video as OpenAI's video resource" },
  "GET /v1/videos/{id}/content": {
    tag: tags.predictions,
    summary: "Download a video",
    answers: { 302: withoutBody("To its signed URL") },
  },
  "POST /v1/uploads": { tag: tags.uploads, summary: "Create an upload and its signed URL" },
  "GET /v1/uploads/{id}": { tag: tags.uploads, summary: "Read an upload, with fresh URLs" },
  "GET /v1/uploads": { tag: tags.uploads, summary: "List uploads" },
  "DELETE /v1/uploads/{id}": { tag: tags.uploads, summary: "Delete an upload" },
  "PUT /v1/uploads/{id}/content": {
    tag: tags.uploads,
    summary: "Send the bytes, to the signed URL of the upload",
  },
  "GET /v1/files/{key}": {
    tag: tags.uploads,
    summary: "Download a file by its signed URL",
    answers: { 200: file, 206: file, 416: withoutBody("The range is outside the file") },
  },
  "POST /v1/uploads/{id}/verify": { tag: tags.uploads, summary: "Verify the bytes of an upload" },
  "POST /v1/webhooks/endpoints": {
    tag: tags.webhooks,
    summary: "Register an endpoint; the secret is in this answer only",
  },
  "GET /v1/webhooks/endpoints": { tag: tags.webhooks, summary: "List endpoints" },
  "GET /v1/webhooks/endpoints/{id}": { tag: tags.webhooks, summary: "Read an endpoint and its health" },
  "PATCH /v1/webhooks/endpoints/{id}": {
    tag: tags.webhooks,
    summary: "Change, disable or enable an endpoint",
  },
  "DELETE /v1/webhooks/endpoints/{id}": { tag: tags.webhooks, summary: "Delete an endpoint" },
  "POST /v1/webhooks/endpoints/{id}/rotate_secret": {
    tag: tags.webhooks,
    summary: "Rotate the signing secret",
  },
  "POST /v1/webhooks/endpoints/{id}/test": { tag: tags.webhooks, summary: "Send a test event" },
  "GET /v1/webhooks/deliveries": { tag: tags.webhooks, summary: "List deliveries" },
  "GET /v1/webhooks/deliveries/{id}": { tag: tags.webhooks, summary: "Read a delivery and its attempts" },
  "POST /v1/webhooks/deliveries/{id}/retry": { tag: tags.webhooks, summary: "Retry a failed delivery" },
  "POST /v1/webhooks/deliveries/retry": { tag: tags.webhooks, summary: "Retry many failed deliveries" },
  "GET /v1/webhooks/listen": {
    tag: tags.webhooks,
    summary: "Follow the account's events as server-sent events",
    answers: {
      200: ofType("text/event-stream", "An event per webhook event; its data is what a webhook gets"),
    },
  },
  "GET /v1/account": { tag: tags.account, summary: "Read the account" },
  "GET /v1/account/setup": { tag: tags.account, summary: "Whether the first account must still be created" },
  "POST /v1/account/setup": { tag: tags.account, summary: "Create the first account" },
  "POST /v1/account/sessions": { tag: tags.account, summary: "Sign in" },
  "POST /v1/account/sessions/key": { tag: tags.account, summary: "Open a session of an account key" },
  "DELETE /v1/account/sessions/current": { tag: tags.account, summary: "Sign out" },
  "GET /v1/account/attestations": { tag: tags.account, summary: "List statements and attestations" },
  "POST /v1/account/attestations": { tag: tags.account, summary: "Attest, as a signed-in user" },
  "DELETE /v1/account/attestations/{kind}": { tag: tags.account, summary: "Withdraw an attestation" },
  "GET /v1/keys": { tag: tags.account, summary: "List account keys" },
  "POST /v1/keys": { tag: tags.account, summary: "Create an account key; it is in this answer only" },
  "PATCH /v1/keys/{id}": { tag: tags.account, summary: "Change the monthly budget of an account key" },
  "POST /v1/keys/{id}/rotate": { tag: tags.account, summary: "Rotate an account key" },
  "DELETE /v1/keys/{id}": { tag: tags.account, summary: "Revoke an account key" },
  "GET /v1/summary": {
    tag: tags.account,
    summary: "Count the predictions and deliveries of the last 24 hours by status",
  },
  "GET /v1/usage": { tag: tags.account, summary: "Read metered usage" },
  "GET /v1/requests": { tag: tags.account, summary: "Read the request log" },
  "GET /v1/audit_logs": { tag: tags.account, summary: "Read the audit log" },
  "GET /v1/openapi.json": {
    tag: tags.service,
    summary: "This document",
    answers: { 200: { description: "OpenAPI 3.1", type: "object" } },
  },
  "GET /healthz": {
    tag: tags.service,
    summary: "Whether the process answers",
    answers: { 200: { description: "It does", ...ServiceStatus } },
  },
  "GET /readyz": {
    tag: tags.service,
    summary: "Whether the database answers too",
    answers: {
      200: { description: "It does", ...ServiceStatus },
      503: { description: "The database does not answer", ...ServiceStatus },
    },
  },
  "GET /metrics": {
    tag: tags.service,
    summary: "Metrics for Prometheus, with METRICS_TOKEN as the bearer",
    answers: { 200: ofType("text/plain", "Prometheus' text form") },
  },
};
