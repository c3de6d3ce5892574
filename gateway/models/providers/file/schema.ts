import { type Static, Type } from "typebox";
import { aliasLimits } from "#contract/alias-constants.ts";
import { AliasCreate } from "#contract/aliases.ts";
import { regionNames, SafetyRequirements } from "#contract/catalog.ts";
import { modalities } from "#contract/catalog-constants.ts";
import { closed } from "#contract/list.ts";
import { Currency } from "#contract/money/cost.ts";
import { cutStreamRules, fileLimits, ownModelId, providerFields } from "#contract/operator/constants.ts";
import {
  InputModalities,
  ModelSettings,
  ModelSource,
  mediaKinds,
  operationFields,
} from "#contract/operator/models.ts";
import { PriceComponents, PriceCreate } from "#contract/operator/prices.ts";
import { KeyRules, onlyKeyName, ProviderName, providerKeyLimits } from "#contract/operator/providers.ts";
import { RouteEntry } from "#contract/operator/routes.ts";
import { engines } from "#gateway/models/catalog/entry.ts";

export type { FieldRules, RouteEntry } from "#contract/operator/routes.ts";

/** Unknown keys are refused: a typo must prevent the start. */
const strict = { additionalProperties: false };

const url = Type.String({ pattern: providerFields.address.pattern });

const ms = Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 }));

const Variable = Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" });

/** `env` is absent for an upstream without keys; several keys take turns. */
const FileCredential = Type.Object(
  {
    env: Type.Optional(Variable),
    keys: Type.Optional(
      Type.Array(Type.Interface([KeyRules], { env: Variable }, strict), {
        minItems: 1,
        maxItems: providerKeyLimits.perRegion,
      }),
    ),
  },
  strict,
);

export type FileCredential = Static<typeof FileCredential>;

/** Per region, so that data stays in the requested region. */
const Credentials = Type.Partial(
  Type.Object(Object.fromEntries(regionNames.map((region) => [region, FileCredential]))),
  strict,
);

const BaseUrls = Type.Partial(
  Type.Object(Object.fromEntries(regionNames.map((region) => [region, url]))),
  strict,
);

export const ProviderEntry = Type.Object(
  {
    /** The name of a protocol in `protocols.ts`. */
    protocol: Type.String(),
    base_url: Type.Optional(url),
    base_urls: Type.Optional(BaseUrls),
    credentials: Credentials,
    /** Origins of its outputs, unless they are public https addresses or the base URL's origin. */
    output_origins: Type.Optional(Type.Array(url)),
    media: Type.Optional(Type.Enum(["data", "url"] as const)),
    inline_max_bytes: Type.Optional(Type.Integer({ minimum: 0 })),
    timeouts_ms: Type.Optional(
      Type.Object(
        {
          connect: ms,
          answer: ms,
          job: ms,
          whole: ms,
          stream: ms,
          idle: ms,
          first_token: ms,
          next_token: ms,
          run: ms,
        },
        strict,
      ),
    ),
    /** DashScope: job queries per second of one account; divide it when several processes share the account. */
    queries_per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
    /** What the provider bills for a stream that ended early. */
    cut_streams: Type.Optional(Type.Enum(cutStreamRules)),
    /** Whether chats without a `prompt_cache_key` get one. */
    send_cache_key: Type.Optional(Type.Boolean()),
    /** Whether calls continue the trace of their request. */
    send_traceparent: Type.Optional(Type.Boolean()),
    /** Used when a console imports the file: its preset, and whether its addresses may be private. */
    preset: Type.Optional(Type.String({ maxLength: 50 })),
    allow_private: Type.Optional(Type.Boolean()),
  },
  strict,
);

const AnyObject = Type.Record(Type.String(), Type.Unknown());

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

const Regions = Type.Array(Type.Enum(regionNames), { minItems: 1, uniqueItems: true });

const Count = Type.Optional(Type.Integer({ minimum: 1 }));

const Internal = Type.Object(
  {
    accepts: Type.Optional(Type.Record(Type.String(), AnyObject)),
    media: Type.Optional(Type.Record(Type.String(), Type.Enum(mediaKinds))),
    imported: Type.Optional(Type.Literal(true)),
    output: Type.Optional(Type.String({ maxLength: 200 })),
    regionBound: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const Operation = Type.Object(
  {
    ...operationFields,
    engine: Type.Enum(engines),
    internal: Type.Optional(Internal),
  },
  closed,
);

/** An operator's catalog entry without its id: its current revision (`gateway/models/catalog/entry.ts`). */
const Content = Type.Object(
  {
    modality: Type.Enum(modalities),
    regions: Regions,
    released_regions: Type.Optional(Regions),
    released_at: Day,
    latest_release_at: Day,
    safety_requirements: Type.Object(SafetyRequirements.properties, closed),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    cover_url: Type.Optional(Type.String({ pattern: "^https://", maxLength: 2_000 })),
    input_modalities: Type.Optional(InputModalities),
    operations: Type.Array(Operation, { minItems: 1, maxItems: 1 }),
    context_window_tokens: Count,
    max_gateway_request_bytes: Count,
    max_input_tokens: Count,
    max_output_tokens: Count,
  },
  closed,
);

/**
 * A model that an operator made, with its source, or an operator's settings for a model of the specification.
 */
export const ModelEntry = Type.Object(
  { ...ModelSettings, source: Type.Optional(ModelSource), entry: Type.Optional(Content) },
  closed,
);

export type ModelEntry = Static<typeof ModelEntry>;

/** The most models in a file. */
const maxModels = 500;

const ModelEntries = Type.Record(Type.String({ pattern: ownModelId }), ModelEntry, {
  additionalProperties: false,
  maxProperties: maxModels,
});

const { name: aliasName, for_everyone: _, ...aliasFields } = AliasCreate.properties;

/** An alias for everyone. */
const AliasEntry = Type.Object(aliasFields, closed);

export type AliasEntry = Static<typeof AliasEntry>;

const AliasEntries = Type.Record(aliasName, AliasEntry, {
  additionalProperties: false,
  maxProperties: aliasLimits.perAccount,
});

const { account_id: __, currency: ___, effective_at: ____, ...priceFields } = PriceCreate.properties;

/** The cost of a model, from the moment at which the file is read. */
export const PriceEntry = Type.Object({ ...priceFields, components: PriceComponents }, closed);

export type PriceEntry = Static<typeof PriceEntry>;

export const ProvidersFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    /** What happens to an operation without a route: the sandbox runs it (the default), or it is refused. */
    unmapped: Type.Optional(Type.Enum(["sandbox", "refuse"] as const)),
    providers: Type.Record(ProviderName, ProviderEntry, strict),
    routes: Type.Array(RouteEntry),
    /**
     * Operators' models, and names and access of the specification's models, for a console that imports the
     * file.
     */
    models: Type.Optional(ModelEntries),
    /** Aliases for everyone, and the costs of models, for a console that imports the file. */
    aliases: Type.Optional(AliasEntries),
    currency: Type.Optional(Currency),
    prices: Type.Optional(Type.Array(PriceEntry, { maxItems: fileLimits.prices })),
  },
  strict,
);

export type ProvidersFile = Static<typeof ProvidersFile>;

export interface ProviderEntry extends Omit<Static<typeof ProviderEntry>, "credentials" | "base_urls"> {
  credentials: Partial<Record<string, FileCredential>>;
  base_urls?: Partial<Record<string, string>>;
}

/** The file's keys for a region, at least one. */
export function fileKeysOf({ env, keys }: FileCredential): (KeyRules & { env?: string })[] {
  return keys ?? [{ name: onlyKeyName, ...(env !== undefined && { env }) }];
}
