import { type Static, Type } from "typebox";
import { type RegionName, regionNames } from "../catalog-constants.ts";
import { closed } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { cutStreamRules, providerKeyLimits, providerNameForm, providerProtocols } from "./constants.ts";

export * from "./constants.ts";

/** The name of a provider in routes, logs and running predictions. */
export const ProviderName = Type.String({ pattern: providerNameForm });

const Address = Type.String({
  pattern: "^https?://[^\\s?#]+$",
  maxLength: 500,
  examples: ["https://api.example.com/v1"],
});
/** `env:NAME` or `file:/run/secrets/name`. */
const KeyReference = Type.String({
  pattern: "^(env:[A-Za-z_][A-Za-z0-9_]*|file:/.+)$",
  maxLength: 300,
  examples: ["env:ACME_KEY"],
});
const Key = Type.String({ minLength: 1, maxLength: 4_000 });

const perRegion = <Value extends ReturnType<typeof Type.Union> | typeof Address>(value: Value) =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(regionNames.map((region) => [region, value])) as Record<RegionName, Value>,
    ),
    closed,
  );

/** The share of one of several keys. */
export const KeyRules = Type.Object({
  name: Type.String({
    pattern: "^[A-Za-z0-9][A-Za-z0-9 ._-]*$",
    maxLength: providerKeyLimits.nameLength,
    description: "what the health page and the log call it",
  }),
  share: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000, description: "of the calls (1); 0: when no other key can" }),
  ),
  per_minute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "calls that each process begins in a minute",
    }),
  ),
  concurrency: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: "calls of each process under way at once" }),
  ),
});
export type KeyRules = Static<typeof KeyRules>;

/** One of several keys of a region. Without `key` and `ref` it is the stored key of that name. */
export const NewKey = Type.Interface(
  [KeyRules],
  { key: Type.Optional(Key), ref: Type.Optional(KeyReference) },
  closed,
);
export type NewKey = Static<typeof NewKey>;

/**
 * The key itself, which is sealed and never answered, or where to read it; `{}` for an upstream without keys;
 * `keys` for several, which take turns. A list is the whole of a region's keys: stored ones that it does not
 * name are removed.
 */
export const NewCredential = Type.Union([
  Type.Object({ key: Key }, closed),
  Type.Object({ ref: KeyReference }, closed),
  Type.Object({ keys: Type.Array(NewKey, { minItems: 1, maxItems: providerKeyLimits.perRegion }) }, closed),
  Type.Object({}, closed),
]);
export type NewCredential = Static<typeof NewCredential>;

const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000, description }));

/** Rarely changed settings; a missing field has the default of docs/providers.md. */
export const ProviderSettings = Type.Object(
  {
    output_origins: Type.Optional(Type.Array(Address, { maxItems: 20 })),
    media: Type.Optional(Type.Enum(["data", "url"] as const)),
    inline_max_bytes: Type.Optional(Type.Integer({ minimum: 0 })),
    timeouts_ms: Type.Optional(
      Type.Object(
        {
          connect: seconds("DNS, connection and TLS"),
          answer: seconds("a call that generates"),
          job: seconds("submitting or polling a job"),
          whole: seconds("a whole answer, to its last byte"),
          stream: seconds("a whole answer that streams"),
          idle: seconds("silence within an answer"),
          first_token: seconds(
            "silence before the first content of a chat, while another route or model could be asked",
          ),
          next_token: seconds("silence between its contents, while another route or model could be asked"),
          run: seconds("a sync operation on an upstream that only has jobs"),
        },
        closed,
      ),
    ),
    queries_per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
    cut_streams: Type.Optional(
      Type.Enum(cutStreamRules, { description: "what it bills of a stream that ended early; `counted`" }),
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
    allow_private: Type.Optional(Type.Boolean()),
    settings: Type.Optional(ProviderSettings),
  },
  closed,
);
export type ProviderCreate = Static<typeof ProviderCreate>;

/** Only named fields change. In `credentials` a region with null is removed; the others stay. */
export const ProviderUpdate = Type.Object(
  {
    name: Type.Optional(ProviderName),
    base_url: Type.Optional(Nullable(Address)),
    base_urls: Type.Optional(perRegion(Address)),
    credentials: Type.Optional(perRegion(Type.Union([...NewCredential.anyOf, Type.Null()]))),
    allow_private: Type.Optional(Type.Boolean()),
    settings: Type.Optional(ProviderSettings),
  },
  { ...closed, minProperties: 1 },
);
export type ProviderUpdate = Static<typeof ProviderUpdate>;

const ShownKey = {
  has_key: Type.Boolean(),
  key_hint: Nullable(Type.String({ description: "the last four characters of a sealed key" })),
  ref: Nullable(
    Type.String({ description: "where the key is read: `env:NAME` or `file:/run/secrets/name`" }),
  ),
  ref_permitted: Nullable(
    Type.Boolean({
      description:
        "false: a reference of an earlier release to a variable that is not for keys; it works, but could not be made now. Null without a reference",
    }),
  ),
};

export const ProviderKey = Type.Object({
  ...KeyRules.properties,
  ...ShownKey,
  /** In the answering process: until when the key is unused, and the upstream's error. */
  set_aside: Nullable(Type.Object({ until: Timestamp, reason: Type.String() })),
});
export type ProviderKey = Static<typeof ProviderKey>;

/** The public facts about a region's keys; the fields beside `keys` describe the first. */
export const ProviderCredential = Type.Object({
  region: Type.Enum(regionNames),
  ...ShownKey,
  keys: Type.Array(ProviderKey),
  base_url: Nullable(Type.String({ description: "the address that calls of this region go to" })),
});
export type ProviderCredential = Static<typeof ProviderCredential>;

export const OperatorProvider = Type.Object({
  id: Type.String({ description: "`prov_…`; a provider of the file has its name" }),
  object: Type.Literal("provider"),
  name: Type.String(),
  former_names: Type.Array(Type.String(), {
    description: "names that it had before, oldest first; what ran there then is logged under them",
  }),
  protocol: Type.Enum(providerProtocols),
  imports: Type.Enum(["named", "listed", "none"] as const, {
    description: "the models that an entry can be made of: any by its name, those in its list, or none",
  }),
  service_paths: Type.Boolean({ description: "a route to it may name the path of a model's service" }),
  preset: Nullable(Type.String()),
  base_url: Nullable(Type.String({ description: "null: the address of the protocol" })),
  base_urls: Type.Record(Type.String(), Type.String()),
  credentials: Type.Array(ProviderCredential),
  allow_private: Type.Boolean(),
  settings: ProviderSettings,
  managed_by: Type.Enum(["console", "file"] as const),
  overridden_by_file: Type.Boolean({
    description: "the file has a provider of this name, which is used instead",
  }),
  status: Type.Enum(["active", "leaving"] as const, {
    description: "`leaving`: it accepts no new runs and is removed when its running predictions have ended",
  }),
  running_predictions: Type.Integer(),
  problem: Nullable(
    Type.String({ description: "why it cannot be used now, such as a variable that is not set" }),
  ),
  created_at: Nullable(Timestamp),
  updated_at: Nullable(Timestamp),
});
export type OperatorProvider = Static<typeof OperatorProvider>;

export const OperatorProviderList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorProvider),
  /** The providers file of this installation; `problem` says why its last change is not in use. */
  file: Nullable(Type.Object({ path: Type.String(), problem: Nullable(Type.String()) })),
  home_region: Type.Enum(regionNames, { description: "of a provider whose form names no region" }),
});
export type OperatorProviderList = Static<typeof OperatorProviderList>;

/** 200 when it is gone, 202 while predictions run. */
export const ProviderDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal("provider"),
  deleted: Type.Boolean(),
  running_predictions: Type.Integer(),
});
export type ProviderDeleted = Static<typeof ProviderDeleted>;

/** The provider's answer to a free test request. */
export const ProviderTest = Type.Object({
  object: Type.Literal("provider_test"),
  ok: Type.Boolean(),
  latency_ms: Type.Integer(),
  message: Type.String(),
  regions: Type.Array(
    Type.Object({
      region: Type.Enum(regionNames),
      key: Nullable(Type.String({ description: "the key's name, where the region has several" })),
      ok: Type.Boolean(),
      latency_ms: Type.Integer(),
      message: Type.String(),
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

/** A model as the provider names it. */
export const UpstreamModel = Type.Object({
  id: Type.String(),
  object: Type.Literal("upstream_model"),
  description: Nullable(Type.String()),
});
export type UpstreamModel = Static<typeof UpstreamModel>;
export const UpstreamModelList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(UpstreamModel),
  has_more: Type.Boolean({ description: "there are more: search for a longer text" }),
});
export type UpstreamModelList = Static<typeof UpstreamModelList>;

/** A preset of a provider: data for the form. */
export const ProviderPreset = Type.Object({
  id: Type.String(),
  object: Type.Literal("provider_preset"),
  name: Type.String(),
  protocol: Type.Enum(providerProtocols),
  place: Type.Enum(["cloud", "local", "other"] as const, {
    description: "`local`: on one's own machine or network",
  }),
  base_url: Nullable(Type.String()),
  base_url_template: Nullable(
    Type.String({ description: "an address with a part in braces that the operator fills in" }),
  ),
  base_urls: Type.Record(Type.String(), Type.String(), { description: "of providers that know regions" }),
  needs_key: Type.Boolean(),
  key_url: Nullable(Type.String({ description: "where to get a key" })),
  runs: Type.Array(Type.String({ description: "api types" })),
  note: Nullable(Type.String()),
});
export type ProviderPreset = Static<typeof ProviderPreset>;
export const ProviderPresetList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(ProviderPreset),
});

/**
 * A model server that answers on one of the usual ports of the gateway's machine. It is not connected
 * automatically.
 */
export const LocalServer = Type.Object({
  object: Type.Literal("local_server"),
  preset: Type.String(),
  name: Type.String(),
  base_url: Type.String(),
  model_count: Type.Integer(),
  models: Type.Array(Type.String(), { description: "the first of them" }),
  connected_as: Nullable(Type.String({ description: "the provider that has this address already" })),
});
export type LocalServer = Static<typeof LocalServer>;
export const LocalServerList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(LocalServer),
});
