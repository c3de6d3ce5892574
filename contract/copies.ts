import { type Static, Type } from "typebox";
import {
  automaticCopies,
  copiesCountedTo,
  copyErrorCodes,
  copyStatuses,
  copyTriggers,
  destinationStatuses,
  destinationFields as fields,
  destinationLimits as limits,
  maxCopyAttempts,
} from "./copy-constants.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, SearchedPageQuery, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";

export * from "./copy-constants.ts";

const CopyError = Type.Object({
  code: Type.Enum(copyErrorCodes),
  message: Type.String({ description: "the problem and how to fix it" }),
});
export type CopyError = Static<typeof CopyError>;

/** A bucket of the account that outputs are copied to. */
export const Destination = Type.Object({
  id: Type.String(),
  object: Type.Literal("destination"),
  name: Type.String(),
  endpoint_url: Type.String(),
  region: Type.String(),
  bucket: Type.String(),
  prefix: Type.String(),
  path_style: Type.Boolean(),
  access_key_id: Type.String(),
  secret_hint: Type.String({ description: "last four characters of the secret access key" }),
  automatic: Type.Enum(automaticCopies),
  models: Type.Array(Type.String()),
  status: Type.Enum(destinationStatuses),
  last_copied_at: Nullable(Timestamp),
  last_error: Nullable(CopyError),
  last_error_at: Nullable(Timestamp),
  waiting_copies: Type.Integer({ description: `at most ${copiesCountedTo}; there may be more` }),
  failed_copies: Type.Integer({ description: `at most ${copiesCountedTo}; there may be more` }),
  created_at: Timestamp,
});
export type Destination = Static<typeof Destination>;

export const DestinationList = ListOf(Destination);

const place = {
  endpoint_url: Type.String({
    ...fields.endpoint_url,
    description: "the server's address without the bucket, e.g. `https://s3.eu-central-1.amazonaws.com`",
  }),
  region: Type.String(fields.region),
  bucket: Type.String(fields.bucket),
  access_key_id: Type.String(fields.access_key_id),
  secret_access_key: Type.String({
    ...fields.secret_access_key,
    description: "never shown again",
  }),
};

const name = Type.String(fields.name);

/** The fields have no defaults, so that a change leaves omitted fields as they are. */
const choices = {
  prefix: Type.Optional(
    Type.String({
      ...fields.prefix,
      description: "prefix of each object's name, e.g. `gatehouse/`. No part of the path may be `.` or `..`",
    }),
  ),
  path_style: Type.Optional(
    Type.Boolean({
      description: "true (default): the bucket is in the URL's path; false: in the host name",
    }),
  ),
  automatic: Type.Optional(Type.Enum(automaticCopies, { description: "default `off`" })),
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.modelLength }), {
      maxItems: limits.models,
      uniqueItems: true,
      description:
        "models whose files are copied with `automatic: chosen`. A gated model's files are copied automatically only if the list names the model",
    }),
  ),
};

export const DestinationCreate = Type.Object({ name, ...place, ...choices }, closed);
export type DestinationCreate = Static<typeof DestinationCreate>;

/** Omitted fields keep their values. */
export const DestinationUpdate = Type.Partial(
  Type.Object({ name, ...place, ...choices, status: Type.Enum(destinationStatuses) }),
  closed,
);
export type DestinationUpdate = Static<typeof DestinationUpdate>;

/** Settings to test before they are saved. */
export const DestinationTry = Type.Object(
  { ...place, prefix: choices.prefix, path_style: choices.path_style },
  closed,
);
export type DestinationTry = Static<typeof DestinationTry>;

export const DestinationTest = Type.Object({
  object: Type.Literal("destination.test"),
  ok: Type.Boolean(),
  error: Nullable(CopyError),
  warning: Nullable(Type.String({ description: "warnings of a test that succeeded" })),
  written: Nullable(Type.String({ description: "name of the object that the test wrote and removed again" })),
});
export type DestinationTest = Static<typeof DestinationTest>;

export const Copy = Type.Object({
  id: Type.String(),
  object: Type.Literal("copy"),
  destination_id: Type.String(),
  output_id: Type.String(),
  run_id: Type.String(),
  prediction_id: Nullable(Type.String()),
  model: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Type.String(),
  status: Type.Enum(copyStatuses),
  trigger: Type.Enum(copyTriggers),
  attempts: Type.Integer({ description: "attempts since the copy was last requested" }),
  max_attempts: Type.Literal(maxCopyAttempts),
  last_error: Nullable(CopyError),
  next_attempt_at: Nullable(Timestamp),
  object_name: Nullable(
    Type.String({ description: "name of the object in the bucket; null until the file is copied" }),
  ),
  created_at: Timestamp,
  copied_at: Nullable(Timestamp),
});
export type Copy = Static<typeof Copy>;

export const CopyList = ListOf(Copy);

export const CopyAttempt = Type.Object({
  at: Timestamp,
  duration_ms: Nullable(
    Type.Integer({ description: "result of the attempt; null: the gateway stopped during it" }),
  ),
  status_code: Nullable(
    Type.Integer({ description: "HTTP status of the server's answer; null: the server did not answer" }),
  ),
  error: Nullable(CopyError),
  server_code: Nullable(Type.String({ description: "the error code that the server sent" })),
});
export type CopyAttempt = Static<typeof CopyAttempt>;

export const CopyDetail = Type.Interface([Copy], {
  attempt_log: Type.Array(CopyAttempt, { description: "the latest attempts, oldest first" }),
});
export type CopyDetail = Static<typeof CopyDetail>;

export const CopyQuery = Type.Interface(
  [PageQuery],
  {
    destination: Type.Optional(Type.String()),
    status: Type.Optional(Type.Enum(copyStatuses)),
    output_id: Type.Optional(Type.String()),
  },
  closed,
);
export type CopyQuery = Static<typeof CopyQuery>;

export const CopyCreate = Type.Object({ destination: Type.String({ maxLength: 100 }) }, closed);
export type CopyCreate = Static<typeof CopyCreate>;

export const CopiesRetried = Type.Object({
  object: Type.Literal("destination.retry"),
  retried: Type.Integer(),
  has_more: Type.Boolean({ description: "true when more copies failed than one call retries: call again" }),
});
export type CopiesRetried = Static<typeof CopiesRetried>;

/** An account's buckets, and the log of copies to them (extensions). */
export const copyRoutes = {
  "POST /destinations": {
    summary: "Add a destination",
    permission: "destinations:manage",
    extension: true,
    idempotent: true,
    location: "/v1/destinations/{id}",
    byClick: true,
    body: DestinationCreate,
    answers: { 201: Destination },
  },
  "GET /destinations": {
    summary: "List destinations",
    permission: "copies:read",
    extension: true,
    fromBrowser: true,
    query: SearchedPageQuery,
    answers: { 200: DestinationList },
  },
  "POST /destinations/test": {
    summary: "Try the settings of a destination before saving them",
    permission: "destinations:manage",
    extension: true,
    byClick: true,
    body: DestinationTry,
    answers: { 200: DestinationTest },
  },
  "GET /destinations/{id}": {
    summary: "Read a destination",
    permission: "copies:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Destination },
  },
  "PATCH /destinations/{id}": {
    summary: "Change, pause or resume a destination",
    permission: "destinations:manage",
    extension: true,
    byClick: true,
    body: DestinationUpdate,
    answers: { 200: Destination },
  },
  "DELETE /destinations/{id}": {
    summary: "Delete a destination with its log; the copied files stay in the bucket",
    permission: "destinations:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /destinations/{id}/test": {
    summary: "Write a small object to a destination and remove it again",
    permission: "copies:make",
    extension: true,
    byClick: true,
    answers: { 200: DestinationTest },
  },
  "POST /destinations/{id}/retry": {
    summary: "Retry all failed copies of a destination",
    permission: "copies:make",
    extension: true,
    idempotent: true,
    byClick: true,
    answers: { 202: CopiesRetried },
  },
  "POST /outputs/{id}/copies": {
    summary: "Copy an output to a destination",
    permission: "copies:make",
    extension: true,
    idempotent: true,
    location: "/v1/copies/{id}",
    byClick: true,
    body: CopyCreate,
    answers: { 202: Copy },
  },
  "GET /copies": {
    summary: "List copies",
    permission: "copies:read",
    extension: true,
    fromBrowser: true,
    query: CopyQuery,
    answers: { 200: CopyList },
  },
  "GET /copies/{id}": {
    summary: "Read a copy and its attempts",
    permission: "copies:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: CopyDetail },
  },
  "POST /copies/{id}/retry": {
    summary: "Retry a failed copy",
    permission: "copies:make",
    extension: true,
    idempotent: true,
    location: "/v1/copies/{id}",
    byClick: true,
    answers: { 202: Copy },
  },
} as const satisfies Routes;
