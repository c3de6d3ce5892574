import { Type } from "typebox";
import type { ApiType } from "#contract/catalog.ts";
import type { Route, Routes } from "#contract/routes/route.ts";
import { sections as routeSections } from "#contract/routes/table.ts";

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

const ServiceStatus = Type.Object({
  status: Type.String(),
  store: Type.Optional(Type.Literal("full", { description: "of `/readyz`: there is no room for files" })),
});

/** The documented parameters in place of a route's `*`. */
export const wildcardParams: Record<string, string[]> = {
  "/v1/models/*": ["namespace", "name"],
  "/v1/files/*": ["key"],
};

/** The routes of each section, in its order: the summary alone, where a route needs no more. */
const sections: Record<string, Record<string, string | Omit<RouteDescription, "tag">>> = {
  Catalog: {
    "GET /v1/models": { summary: "List the catalog", answers: notModified },
    "GET /v1/models/{namespace}/{name}": { summary: "Read an entry of the catalog", answers: notModified },
    "GET /v1/regions": "List the regions and their health",
  },
  Operations: {
    "POST /v1/chat/completions": { summary: "Chat", apiType: "chat-completions" },
    "POST /v1/audio/speech": { summary: "Generate speech", apiType: "text-to-speech" },
    "POST /v1/audio/transcriptions": { summary: "Transcribe audio", apiType: "audio-transcription" },
    "POST /v1/audio/voices": { summary: "Manage enrolled voices", apiType: "voice-management" },
    "POST /v1/images/generations": { summary: "Generate images", apiType: "image-generation" },
    "POST /v1/images/edits": { summary: "Edit images", apiType: "image-editing" },
    "POST /v1/videos": { summary: "Generate a video", apiType: "video-generation" },
    "POST /v1/videos/generations": {
      summary: "Generate a video; the same as POST /v1/videos",
      apiType: "video-generation",
    },
    "POST /v1/models/{namespace}/{name}/predictions": "Run any operation in Replicate's shape",
  },
  Batches: {
    "POST /v1/batches/check": "Check the inputs of a batch without running it",
    "POST /v1/batches": "Start a batch",
    "GET /v1/batches": "List batches",
    "GET /v1/batches/{id}": "Read a batch",
    "GET /v1/batches/{id}/rows": "List the rows of a batch",
    "GET /v1/batches/{id}/results.csv": {
      summary: "Download the results as a table",
      answers: { 200: ofType("text/csv", "The inputs, and the results beside them") },
    },
    "GET /v1/batches/{id}/results.zip": {
      summary: "Download the media with a manifest",
      answers: { 200: ofType("application/zip", "The media, results.csv and manifest.json") },
    },
    "POST /v1/batches/{id}/pause": "Pause a batch",
    "POST /v1/batches/{id}/resume": "Resume a paused batch",
    "POST /v1/batches/{id}/stop": "Stop a batch",
    "POST /v1/batches/{id}/retry_failed": "Run the failed rows of a batch again",
  },
  Uploads: {
    "POST /v1/uploads": "Create an upload and its signed URL",
    "GET /v1/uploads/{id}": "Read an upload, with fresh URLs",
    "GET /v1/uploads": "List uploads",
    "DELETE /v1/uploads/{id}": "Delete an upload",
    "PUT /v1/uploads/{id}/content": "Send the bytes, to the signed URL of the upload",
    "GET /v1/files/{key}": {
      summary: "Download a file by its signed URL",
      answers: { 200: file, 206: file, 416: withoutBody("The range is outside the file") },
    },
    "POST /v1/uploads/{id}/verify": "Verify the bytes of an upload",
  },
  Presets: {
    "GET /v1/presets": "List presets, without their inputs",
    "POST /v1/presets": "Save an input under a name",
    "GET /v1/presets/{id}": "Read a preset, and what of it no longer fits",
    "PATCH /v1/presets/{id}": "Rename a preset, or replace its input",
    "DELETE /v1/presets/{id}": "Delete a preset",
  },
  Webhooks: {
    "POST /v1/webhooks/endpoints": "Register an endpoint; the secret is in this answer only",
    "GET /v1/webhooks/endpoints": "List endpoints",
    "GET /v1/webhooks/endpoints/{id}": "Read an endpoint and its health",
    "PATCH /v1/webhooks/endpoints/{id}": "Change, disable or enable an endpoint",
    "DELETE /v1/webhooks/endpoints/{id}": "Delete an endpoint",
    "POST /v1/webhooks/endpoints/{id}/rotate_secret": "Rotate the signing secret",
    "POST /v1/webhooks/endpoints/{id}/test": "Send a test event",
    "GET /v1/webhooks/deliveries": "List deliveries",
    "GET /v1/webhooks/deliveries/{id}": "Read a delivery and its attempts",
    "POST /v1/webhooks/deliveries/{id}/retry": "Retry a failed delivery",
    "POST /v1/webhooks/deliveries/retry": "Retry many failed deliveries",
    "GET /v1/webhooks/listen": {
      summary: "Follow the account's events as server-sent events",
      answers: {
        200: ofType("text/event-stream", "An event per webhook event; its data is what a webhook gets"),
      },
    },
  },
  Account: {
    "GET /v1/account": "Read the account",
    "GET /v1/accounts": "List the accounts of the signed-in person",
    "PATCH /v1/account": "Rename the account, or require a second factor of its members",
    "GET /v1/account/profile": "Read the signed-in person",
    "PATCH /v1/account/profile": "Change the name of the signed-in person",
    "GET /v1/account/members": "List the members of the account",
    "PATCH /v1/account/members/{user_id}": "Change a member's role or monthly budget",
    "DELETE /v1/account/members/{user_id}": "Remove a member, or leave",
    "POST /v1/account/members/{user_id}/reset": "Create a link with which a member sets a new password",
    "GET /v1/account/members/{user_id}/sessions": "List the sessions of a member",
    "DELETE /v1/account/members/{user_id}/sessions": "End the sessions of a member",
    "POST /v1/account/invitations": "Invite somebody; the link is in this answer only",
    "GET /v1/account/invitations": "List invitations",
    "POST /v1/account/invitations/{id}/renew": "Give an invitation a new link and another week",
    "DELETE /v1/account/invitations/{id}": "Withdraw an invitation",
    "POST /v1/account/invitations/lookup": "Read what the link of an invitation offers",
    "POST /v1/account/invitations/accept": "Accept an invitation",
    "POST /v1/account/password": "Change one's own password",
    "POST /v1/account/password/reset/lookup": "Read whose password a link resets",
    "POST /v1/account/password/reset": "Set a new password with a link",
    "POST /v1/account/sessions/second_factor": "Finish a sign-in with a code, a recovery code or a passkey",
    "POST /v1/account/sessions/passkey/options": "Begin a sign-in with a passkey",
    "POST /v1/account/sessions/passkey": "Sign in with a passkey alone",
    "GET /v1/account/second_factor": "Read one's own passkeys, authenticator app and recovery codes",
    "POST /v1/account/second_factor/totp":
      "Begin to set up an authenticator app; the secret is in this answer only",
    "POST /v1/account/second_factor/totp/confirm": "Set up the authenticator app with its first code",
    "POST /v1/account/second_factor/totp/remove": "Remove the authenticator app",
    "POST /v1/account/second_factor/recovery_codes":
      "Replace the recovery codes; they are in this answer only",
    "POST /v1/account/passkeys/options": "Begin to add a passkey",
    "POST /v1/account/passkeys": "Add a passkey",
    "PATCH /v1/account/passkeys/{id}": "Rename a passkey",
    "POST /v1/account/passkeys/{id}/remove": "Remove a passkey",
    "GET /v1/account/oidc": "Read whether people can sign in with an identity provider",
    "POST /v1/account/oidc/start": "Begin a sign-in with the identity provider",
    "POST /v1/account/oidc/callback": "Finish a sign-in with the identity provider",
    "GET /v1/account/oidc/claims": "Read what the identity provider sent to an operator who checked it",
    "POST /v1/account/oidc/logout": "End sessions, as the identity provider asks (back-channel logout)",
    "GET /v1/account/identities": "List one's own sign-ins at the identity provider",
    "DELETE /v1/account/identities/{id}": "Unlink one's own sign-in at the identity provider",
    "GET /v1/account/sessions": "List one's own sessions",
    "GET /v1/account/sessions/current/events": {
      summary: "Hear when the session that asks has ended",
      answers: { 200: ofType("text/event-stream", "Silent until the session ends; then one event, `ended`") },
    },
    "DELETE /v1/account/sessions": "End all of one's other sessions",
    "DELETE /v1/account/sessions/{id}": "End a session of one's own or of a member",
    "GET /v1/account/deletion": "Read what goes with the account, and whether its deletion is scheduled",
    "POST /v1/account/deletion": "Schedule the deletion of the account, in a week",
    "DELETE /v1/account/deletion": "Cancel the deletion of the account",
    "GET /v1/operator/file": "Export the console's providers and routes as a providers file, without keys",
    "POST /v1/operator/file": "Take the providers and routes of a providers file into the console",
    "GET /v1/operator/accounts": "Find accounts by name, to say which may use a model",
    "GET /v1/operator/health": "Read the health of the upstreams, from the runs of the last minutes",
    "GET /v1/operator/models": "List all entries of the catalog as operators set them",
    "POST /v1/operator/models":
      "Add an entry from a template, or import a model; with `dry_run` only show what it would be",
    "GET /v1/operator/models/{namespace}/{name}": "Read an entry as operators set it",
    "PATCH /v1/operator/models/{namespace}/{name}":
      "Change an entry; of the specification's only the name and who sees it",
    "DELETE /v1/operator/models/{namespace}/{name}": "Take an operator's entry out of the catalog",
    "GET /v1/operator/models/{namespace}/{name}/revisions": "List the states that an entry had",
    "POST /v1/operator/models/{namespace}/{name}/revisions/{revision}/restore":
      "Bring an old state of an entry back, as a new revision",
    "GET /v1/operator/routes": "List the routes: which provider runs what",
    "PUT /v1/operator/routes": "Replace the console's routes",
    "POST /v1/operator/routes/map": "Map every model with an operation to one upstream model",
    "POST /v1/operator/routes/preview": "Show what a route would send, without sending it",
    "GET /v1/account/history": "Read how long history is kept",
    "GET /v1/account/setup": "Whether the first account must still be created",
    "POST /v1/account/setup": "Create the first account",
    "POST /v1/account/sessions": "Sign in",
    "POST /v1/account/sessions/key": "Open a session of an account key",
    "DELETE /v1/account/sessions/current": "Sign out",
    "GET /v1/account/attestations": "List statements and attestations",
    "POST /v1/account/attestations": "Attest, as a signed-in user",
    "DELETE /v1/account/attestations/{kind}": "Withdraw an attestation",
    "GET /v1/keys": "List account keys",
    "POST /v1/keys": "Create an account key; it is in this answer only",
    "PATCH /v1/keys/{id}": "Change the monthly budget of an account key",
    "POST /v1/keys/{id}/rotate": "Rotate an account key",
    "DELETE /v1/keys/{id}": "Revoke an account key",
    "GET /v1/audit_logs": "Read the audit log",
  },
  Operator: {
    "GET /v1/operator/changes": "List the changes of the configuration",
    "POST /v1/operator/changes/{id}/undo": "Undo a change, unless something later changed the same thing",
    "GET /v1/operator/providers": "List the providers of this installation, without their keys",
    "POST /v1/operator/providers": "Connect a provider",
    "GET /v1/operator/providers/{id}": "Read a provider, without its keys",
    "PATCH /v1/operator/providers/{id}": "Change a provider",
    "POST /v1/operator/providers/{id}/test": "Ask a provider something that costs nothing",
    "GET /v1/operator/providers/{id}/models": "List the models of a provider",
    "GET /v1/operator/provider_presets": "List the providers that can be connected in one step",
    "GET /v1/operator/local_servers": "Find model servers on this machine",
    "DELETE /v1/operator/providers/{id}":
      "Take a provider out of use; it goes when its running predictions have ended",
  },
  Service: {
    "GET /v1/openapi.json": {
      summary: "This document",
      answers: { 200: { description: "OpenAPI 3.1", type: "object" }, ...notModified },
    },
    "GET /healthz": {
      summary: "Whether the process answers",
      answers: { 200: { description: "It does", ...ServiceStatus } },
    },
    "GET /readyz": {
      summary: "Whether the database answers too",
      answers: {
        200: { description: "It does", ...ServiceStatus },
        503: { description: "The database does not answer", ...ServiceStatus },
      },
    },
    "GET /metrics": {
      summary: "Metrics for Prometheus, with METRICS_TOKEN as the bearer",
      answers: { 200: ofType("text/plain", "Prometheus' text form") },
    },
  },
};

const table = Object.entries<Routes>(routeSections).flatMap(([tag, routes]) =>
  (Object.entries(routes) as [string, Route][]).map(([name, { summary, otherAnswers, operation }]) => [
    name.replace(" ", " /v1"),
    {
      tag,
      summary,
      ...(operation && operation !== "any" && { apiType: operation }),
      ...(otherAnswers && { answers: otherAnswers }),
    },
  ]),
);

export const routeDescriptions: Record<string, RouteDescription> = {
  ...Object.fromEntries(table),
  ...Object.fromEntries(
    Object.entries(sections).flatMap(([tag, routes]) =>
      Object.entries(routes).map(([route, described]) => [
        route,
        typeof described === "string" ? { tag, summary: described } : { tag, ...described },
      ]),
    ),
  ),
};
