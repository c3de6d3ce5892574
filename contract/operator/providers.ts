import { type Static, Type } from "typebox";
import { type RegionName, regionNames } from "../catalog-constants.ts";
import { closed, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { codesOf } from "../sentences.ts";
import {
  cutStreamRules,
  providerFields,
  providerKeyLimits,
  providerKeyRates,
  providerProtocols,
  providerTimeoutMs,
} from "./constants.ts";

export * from "./constants.ts";

/** The name of a provider, as routes, logs and running predictions contain it. */
export const ProviderName = Type.String(providerFields.name);

const Address = Type.String({
  ...providerFields.address,
  examples: ["https://api.example.com/v1"],
});

const KeyReference = Type.String({ ...providerFields.keyReference, examples: ["env:ACME_KEY"] });

const Key = Type.String(providerFields.key);

const perRegion = <Value extends ReturnType<typeof Type.Union> | typeof Address>(value: Value) =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(regionNames.map((region) => [region, value])) as Record<RegionName, Value>,
    ),
    closed,
  );

/** How much of the traffic one of several keys gets. */
export const KeyRules = Type.Object({
  name: Type.String({
    ...providerFields.keyName,
    description: "name of the key on the health page and in the log",
  }),
  share: Type.Optional(
    Type.Integer({
      ...providerKeyRates.share,
      description: "share of the calls (default 1); 0: used only when no other key can serve",
    }),
  ),
  per_minute: Type.Optional(
    Type.Integer({
      ...providerKeyRates.per_minute,
      description: "calls that each gateway process may start per minute",
    }),
  ),
  concurrency: Type.Optional(
    Type.Integer({
      ...providerKeyRates.concurrency,
      description: "calls that each gateway process may have running at once",
    }),
  ),
});
export type KeyRules = Static<typeof KeyRules>;

/** One of several keys of a region. Without `key` and `ref`, the entry means the stored key of that name. */
export const NewKey = Type.Interface(
  [KeyRules],
  { key: Type.Optional(Key), ref: Type.Optional(KeyReference) },
  closed,
);
export type NewKey = Static<typeof NewKey>;

/**
 * The key, or the place where the gateway reads it. A key is stored encrypted and never returned. `{}` is for
 * upstreams without keys. `keys` lists several keys that take turns; stored keys that the list does not name
 * are removed.
 */
export const NewCredential = Type.Union([
  Type.Object({ key: Key }, closed),
  Type.Object({ ref: KeyReference }, closed),
  Type.Object({ keys: Type.Array(NewKey, { minItems: 1, maxItems: providerKeyLimits.perRegion }) }, closed),
  Type.Object({}, closed),
]);
export type NewCredential = Static<typeof NewCredential>;

const seconds = (description: string) => Type.Optional(Type.Integer({ ...providerTimeoutMs, description }));

const allowPrivate = Type.Optional(
  Type.Boolean({
    description:
      "its addresses may be private or plain http; without it they are refused with `private_address_not_allowed`",
  }),
);

/** Rarely changed settings. A missing field has the default of docs/providers-file.md. */
export const ProviderSettings = Type.Object(
  {
    output_origins: Type.Optional(Type.Array(Address, { maxItems: 20 })),
    media: Type.Optional(Type.Enum(["data", "url"] as const)),
    inline_max_bytes: Type.Optional(Type.Integer({ minimum: 0 })),
    timeouts_ms: Type.Optional(
      Type.Object(
        {
          connect: seconds("time limit for DNS, connection and TLS together"),
          answer: seconds("time limit for a call that generates"),
          job: seconds("time limit for submitting or polling a job"),
          whole: seconds("time limit for a whole answer, to its last byte"),
          stream: seconds("time limit for a whole streamed answer"),
          idle: seconds("longest silence within an answer"),
          first_token: seconds(
            "longest silence before the first content of a chat, when another route or model could be tried",
          ),
          next_token: seconds(
            "longest silence between contents of a chat, when another route or model could be tried",
          ),
          run: seconds("time limit for a sync operation on an upstream that only has jobs"),
        },
        closed,
      ),
    ),
    queries_per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
    cut_streams: Type.Optional(
      Type.Enum(cutStreamRules, {
        description: "how the provider bills a stream that ended early; default `counted`",
      }),
    ),
    send_cache_key: Type.Optional(
      Type.Boolean({
        description:
          "true: a chat without a `prompt_cache_key` gets one, a keyed hash of its conversation. Default: true at OpenAI's own address, false elsewhere, because other servers may refuse an unknown field",
      }),
    ),
    send_traceparent: Type.Optional(
      Type.Boolean({
        description:
          "true: calls that run a model have W3C's `traceparent` and the caller's `tracestate`, if requests are traced. Default: true at private addresses, false at public ones",
      }),
    ),
  },
  closed,
);
export type ProviderSettings = Static<typeof ProviderSettings>;

export const ProviderCreate = Type.Object(
  {
    name: ProviderName,
    protocol: Type.Enum(providerProtocols),
    preset: Type.Optional(Nullable(Type.String({ maxLength: 50 }))),
    base_url: Type.Optional(Nullable(Address)),
    base_urls: Type.Optional(perRegion(Address)),
    credentials: Type.Optional(perRegion(NewCredential)),
    allow_private: allowPrivate,
    settings: Type.Optional(ProviderSettings),
  },
  closed,
);
export type ProviderCreate = Static<typeof ProviderCreate>;

/**
 * Only fields in the request change. In `credentials`, null removes a region; regions that are not named
 * stay.
 */
export const ProviderUpdate = Type.Object(
  {
    name: Type.Optional(ProviderName),
    base_url: Type.Optional(Nullable(Address)),
    base_urls: Type.Optional(perRegion(Address)),
    credentials: Type.Optional(perRegion(Type.Union([...NewCredential.anyOf, Type.Null()]))),
    allow_private: allowPrivate,
    settings: Type.Optional(ProviderSettings),
  },
  { ...closed, minProperties: 1 },
);
export type ProviderUpdate = Static<typeof ProviderUpdate>;

const ShownKey = {
  has_key: Type.Boolean(),
  key_hint: Nullable(Type.String({ description: "the last four characters of a stored key" })),
  ref: Nullable(
    Type.String({ description: "where the gateway reads the key: `env:NAME` or `file:/run/secrets/name`" }),
  ),
  ref_permitted: Nullable(
    Type.Boolean({
      description:
        "false: an earlier release accepted this reference to a variable that is not for keys. It still works, but a new one would be refused. Null without a reference",
    }),
  ),
};

export const ProviderKey = Type.Object({
  ...KeyRules.properties,
  ...ShownKey,
  /** The state in the answering process: until when the key is not used, and the upstream's error. */
  set_aside: Nullable(
    Type.Object({
      until: Timestamp,
      reason: Type.String(),
      code: Type.Optional(Type.String({ description: "this gateway's error code for it" })),
    }),
  ),
});
export type ProviderKey = Static<typeof ProviderKey>;

/** The public facts about a region's keys. The fields beside `keys` describe the first key. */
export const ProviderCredential = Type.Object({
  region: Type.Enum(regionNames),
  ...ShownKey,
  keys: Type.Array(ProviderKey),
  base_url: Nullable(Type.String({ description: "address to which calls in this region are sent" })),
});
export type ProviderCredential = Static<typeof ProviderCredential>;

export const OperatorProvider = Type.Object({
  id: Type.String({ description: "`prov_…`; for a provider of the providers file, its name" }),
  object: Type.Literal("provider"),
  name: Type.String(),
  former_names: Type.Array(Type.String(), {
    description: "earlier names, oldest first; earlier runs are logged under them",
  }),
  protocol: Type.Enum(providerProtocols),
  imports: Type.Enum(["named", "listed", "none"] as const, {
    description:
      "which of the provider's models can be added: any by its name, those in the provider's list, or none",
  }),
  service_paths: Type.Boolean({
    description: "true when a route to this provider may name the path of a model's service",
  }),
  preset: Nullable(Type.String()),
  base_url: Nullable(Type.String({ description: "base address; null: the protocol's usual address" })),
  base_urls: Type.Record(Type.String(), Type.String()),
  credentials: Type.Array(ProviderCredential),
  allow_private: Type.Boolean(),
  settings: ProviderSettings,
  managed_by: Type.Enum(["console", "file"] as const),
  overridden_by_file: Type.Boolean({
    description: "true when the providers file has a provider of the same name, which is used instead",
  }),
  status: Type.Enum(["active", "leaving"] as const, {
    description:
      "`leaving`: the provider accepts no new runs and is removed when its running predictions have ended",
  }),
  running_predictions: Type.Integer(),
  problem: Nullable(
    Type.String({ description: "why the provider cannot be used now, such as a variable that is not set" }),
  ),
  problem_codes: codesOf("problem"),
  created_at: Nullable(Timestamp),
  updated_at: Nullable(Timestamp),
});
export type OperatorProvider = Static<typeof OperatorProvider>;

export const OperatorProviderList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorProvider),
  /** The providers file of this installation. `problem` is the reason why its last change is not in use. */
  file: Nullable(Type.Object({ path: Type.String(), problem: Nullable(Type.String()) })),
  home_region: Type.Enum(regionNames, {
    description: "region of a provider whose form does not ask for one",
  }),
});
export type OperatorProviderList = Static<typeof OperatorProviderList>;

/** Status 200 when the provider is removed, 202 while predictions still run. */
export const ProviderDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal("provider"),
  deleted: Type.Boolean(),
  running_predictions: Type.Integer(),
});
export type ProviderDeleted = Static<typeof ProviderDeleted>;

/** The provider's answer to a test request, which costs nothing. */
export const ProviderTest = Type.Object({
  object: Type.Literal("provider_test"),
  ok: Type.Boolean(),
  latency_ms: Type.Integer(),
  message: Type.String(),
  regions: Type.Array(
    Type.Object({
      region: Type.Enum(regionNames),
      key: Nullable(Type.String({ description: "name of the key, when the region has several" })),
      ok: Type.Boolean(),
      latency_ms: Type.Integer(),
      message: Type.String(),
      message_codes: codesOf("message"),
    }),
  ),
});
export type ProviderTest = Static<typeof ProviderTest>;

export const UpstreamModelQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 200 })),
    region: Type.Optional(Type.Enum(regionNames)),
  },
  closed,
);

/** A model with the provider's name for it. */
export const UpstreamModel = Type.Object({
  id: Type.String(),
  object: Type.Literal("upstream_model"),
  description: Nullable(Type.String()),
});
export type UpstreamModel = Static<typeof UpstreamModel>;

export const UpstreamModelList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(UpstreamModel),
  has_more: Type.Boolean({ description: "true when more accounts match: search for a longer text" }),
});
export type UpstreamModelList = Static<typeof UpstreamModelList>;

/** A preset of a provider: the data from which the console's form is filled. */
export const ProviderPreset = Type.Object({
  id: Type.String(),
  object: Type.Literal("provider_preset"),
  name: Type.String(),
  protocol: Type.Enum(providerProtocols),
  place: Type.Enum(["cloud", "local", "other"] as const, {
    description: "`local`: runs on the operator's machine or network",
  }),
  base_url: Nullable(Type.String()),
  base_url_template: Nullable(
    Type.String({ description: "an address with a part in braces, which the operator replaces" }),
  ),
  base_urls: Type.Record(Type.String(), Type.String(), {
    description: "regions of the provider, if it has any",
  }),
  needs_key: Type.Boolean(),
  key_url: Nullable(Type.String({ description: "page on which to get a key" })),
  runs: Type.Array(Type.String({ description: "operations that the provider can run, as API types" })),
  note: Nullable(Type.String()),
});
export type ProviderPreset = Static<typeof ProviderPreset>;

export const ProviderPresetList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(ProviderPreset),
});

/**
 * A model server that answers on one of the usual ports of the gateway's machine. The gateway never connects
 * it by itself.
 */
export const LocalServer = Type.Object({
  object: Type.Literal("local_server"),
  preset: Type.String(),
  name: Type.String(),
  base_url: Type.String(),
  model_count: Type.Integer(),
  models: Type.Array(Type.String(), { description: "the first models of the server" }),
  connected_as: Nullable(Type.String({ description: "the connected provider with this address" })),
});
export type LocalServer = Static<typeof LocalServer>;

export const LocalServerList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(LocalServer),
});

const params = Type.Object({ id: Type.String({ description: "id or name of the provider" }) });

export const operatorProviderRoutes = {
  "GET /operator/providers": {
    summary: "List the providers of this installation, without their keys",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorProviderList },
  },
  "POST /operator/providers": {
    summary: "Connect a provider",
    operator: true,
    extension: true,
    idempotent: true,
    location: "/v1/operator/providers/{id}",
    byClick: true,
    body: ProviderCreate,
    answers: { 201: OperatorProvider },
  },
  "GET /operator/providers/{id}": {
    summary: "Read a provider, without its keys",
    operator: true,
    extension: true,
    params: params,
    query: NoQuery,
    answers: { 200: OperatorProvider },
  },
  "PATCH /operator/providers/{id}": {
    summary: "Change a provider",
    operator: true,
    extension: true,
    byClick: true,
    params: params,
    body: ProviderUpdate,
    answers: { 200: OperatorProvider },
  },
  "POST /operator/providers/{id}/test": {
    summary: "Test a provider with a request that costs nothing",
    operator: true,
    extension: true,
    params: params,
    answers: { 200: ProviderTest },
  },
  "GET /operator/providers/{id}/models": {
    summary: "List the models of a provider",
    operator: true,
    extension: true,
    fromBrowser: true,
    params: params,
    query: UpstreamModelQuery,
    answers: { 200: UpstreamModelList },
  },
  "GET /operator/provider_presets": {
    summary: "List the providers that can be connected in one step",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: ProviderPresetList },
  },
  "GET /operator/local_servers": {
    summary: "Find model servers on this machine",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: LocalServerList },
  },
  "DELETE /operator/providers/{id}": {
    summary: "Remove a provider, once its running predictions have ended",
    operator: true,
    extension: true,
    byClick: true,
    params: params,
    answers: { 200: ProviderDeleted, 202: ProviderDeleted },
  },
} as const satisfies Routes;
