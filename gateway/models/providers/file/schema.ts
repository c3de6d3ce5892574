import { type Static, Type } from "typebox";
import { regionNames } from "#contract/catalog.ts";
import { cutStreamRules } from "#contract/operator/constants.ts";
import { KeyRules, onlyKeyName, ProviderName, providerKeyLimits } from "#contract/operator/providers.ts";
import { RouteEntry } from "#contract/operator/routes.ts";
import { ModelEntries } from "./model-schema.ts";

export type { FieldRules, RouteEntry } from "#contract/operator/routes.ts";

/** Unknown keys are refused: a typo must prevent the start. */
const strict = { additionalProperties: false };

const url = Type.String({ pattern: "^https?://[^\\s?#]+$" });
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
    /** Used when a console imports the file: its preset, and whether its addresses may be private. */
    preset: Type.Optional(Type.String({ maxLength: 50 })),
    allow_private: Type.Optional(Type.Boolean()),
  },
  strict,
);

export const ProvidersFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    /** What happens to an operation without a route: the sandbox runs it (the default), or it is refused. */
    unmapped: Type.Optional(Type.Enum(["sandbox", "refuse"] as const)),
    providers: Type.Record(ProviderName, ProviderEntry, strict),
    routes: Type.Array(RouteEntry),
    /**
     * Own models, and names and access of the specification's models, for a console that imports the file.
     */
    models: Type.Optional(ModelEntries),
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
