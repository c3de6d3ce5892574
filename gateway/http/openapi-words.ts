/** What each documented route is called in the API reference; a route without a line here is not documented. */
export interface RouteWords {
  tag: string;
  summary: string;
  /** The operation kind whose catalog entries give the request body. */
  apiType?: string;
}

const tags = {
  catalog: "Catalog",
  operations: "Operations",
  predictions: "Predictions",
  uploads: "Uploads",
  webhooks: "Webhooks",
  account: "Account",
} as const;

export const routeWords: Record<string, RouteWords> = {
  "GET /v1/models": { tag: tags.catalog, summary: "List the catalog" },
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
  },
  "GET /v1/videos/{id}": { tag: tags.predictions, summary: "Read a video in OpenAI's words" },
  "GET /v1/videos/{id}/content": { tag: tags.predictions, summary: "Download a video" },
  "POST /v1/uploads": { tag: tags.uploads, summary: "Create an upload and its signed URL" },
  "GET /v1/uploads/{id}": { tag: tags.uploads, summary: "Read an upload, with fresh URLs" },
  "GET /v1/uploads": { tag: tags.uploads, summary: "List uploads" },
  "DELETE /v1/uploads/{id}": { tag: tags.uploads, summary: "Delete an upload" },
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
  "POST /v1/webhooks/deliveries/{id}/retry": { tag: tags.webhooks, summary: "Send a failed delivery again" },
  "POST /v1/webhooks/deliveries/retry": { tag: tags.webhooks, summary: "Send many failed deliveries again" },
  "GET /v1/account": { tag: tags.account, summary: "Read the account" },
  "GET /v1/account/setup": { tag: tags.account, summary: "Whether the first account is still to be made" },
  "POST /v1/account/setup": { tag: tags.account, summary: "Make the first account" },
  "POST /v1/account/sessions": { tag: tags.account, summary: "Sign in" },
  "DELETE /v1/account/sessions/current": { tag: tags.account, summary: "Sign out" },
  "GET /v1/account/attestations": { tag: tags.account, summary: "List statements and attestations" },
  "POST /v1/account/attestations": { tag: tags.account, summary: "Attest, as a signed-in user" },
  "DELETE /v1/account/attestations/{kind}": { tag: tags.account, summary: "Withdraw an attestation" },
  "GET /v1/keys": { tag: tags.account, summary: "List account keys" },
  "POST /v1/keys": { tag: tags.account, summary: "Make an account key; it is in this answer only" },
  "PATCH /v1/keys/{id}": { tag: tags.account, summary: "Change the monthly budget of an account key" },
  "POST /v1/keys/{id}/rotate": { tag: tags.account, summary: "Rotate an account key" },
  "DELETE /v1/keys/{id}": { tag: tags.account, summary: "Revoke an account key" },
  "GET /v1/usage": { tag: tags.account, summary: "Read metered usage" },
  "GET /v1/requests": { tag: tags.account, summary: "Read the request log" },
  "GET /v1/audit_logs": { tag: tags.account, summary: "Read the audit log" },
};
