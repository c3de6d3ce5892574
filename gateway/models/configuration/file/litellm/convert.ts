import { aliasFields, aliasLimits } from "#contract/alias-constants.ts";
import { byName } from "#contract/by-name.ts";
import type { ApiType, InputModality, RegionName } from "#contract/catalog-constants.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import {
  ownModelId,
  providerKeyRates,
  providerTimeoutMs,
  routeNumbers,
} from "#contract/operator/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import { templateEntries } from "#gateway/models/catalog/entries.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
import { expandRoute } from "#gateway/models/providers/file/expand-route.ts";
import type {
  AliasEntry,
  ModelEntry,
  PriceEntry,
  ProviderEntry,
} from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { entryOfListed, readsPictures } from "../../models/import/entry-of-upstream.ts";
import { type Fallbacks, groupOf, readFallbacks } from "./fallbacks.ts";
import { type Finding, leftOut } from "./left-out.ts";
import { limitsOf, type ProposedCall } from "./limits.ts";
import { hostOf, modelIdOf, numbered, shortList } from "./names.ts";
import { componentOf, isCost } from "./prices.ts";
import { type Fields, readConfig, recordIn, textOf, variableOf } from "./read-config.ts";
import { type Target, targetOf } from "./upstreams.ts";

const maxModels = 500;

export interface ConvertedFile {
  providers: Record<string, ProviderEntry>;
  routes: RouteEntry[];
  models: Record<string, ModelEntry>;
  aliases?: Record<string, AliasEntry>;
  currency?: string;
  prices?: PriceEntry[];
}

export interface Converted {
  file: ConvertedFile;
  /** Keys that were written in clear, under the variables that the file names instead. */
  keys: { variable: string; provider: string; secret: string }[];
  findings: Finding[];
  /** Requests that set the limits in an account; the file has no place for them. */
  calls: ProposedCall[];
}

interface Options {
  /** The region of the providers and models. */
  region: RegionName;
  /** `2026-11-29` */
  today: string;
  /** Where `os.environ/X` is looked up for an address or a number; never for a key. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** One entry of `model_list` that can run here. */
interface Deployment {
  place: string;
  target: Extract<Target, { prefix: string }>;
  kind: ApiType | undefined;
  provider: Provider;
  params: Fields;
  info: Fields;
  fields: NonNullable<RouteEntry["fields"]>;
  components: PriceComponent[];
}

interface Provider {
  name: string;
  entry: Omit<ProviderEntry, "credentials">;
  env: string | null;
  /** The limits of its deployments; null for one without. */
  perMinute: (number | null)[];
  concurrency: (number | null)[];
  timeouts: { answer?: number; idle?: number };
}

/**
 * Converts LiteLLM's `config.yaml` to a providers file. Each setting that is not carried over is a finding,
 * which never contains a value. Throws `invalid_parameter` for a text that is no such configuration.
 */
export function convertLiteLlm(text: string, options: Options): Converted {
  const config = readConfig(text);
  const named = [...text.matchAll(/os\.environ\/(\w+)/g)].flatMap(([, name]) => name ?? []);
  return new Conversion(options, new Set(named)).convert(config);
}

/** The parameters of requests that a deployment may preset. */
const requestParameters = new Set(
  `temperature top_p top_k min_p max_tokens max_completion_tokens n stop seed presence_penalty frequency_penalty
  repetition_penalty logit_bias logprobs top_logprobs response_format tools tool_choice parallel_tool_calls user
  reasoning_effort thinking modalities audio stream_options service_tier verbosity web_search_options dimensions
  encoding_format size quality style voice background output_format language prompt store metadata`.split(
    /\s+/,
  ),
);

/** Parameters of a deployment that are read elsewhere. */
const readParameters = new Set(
  `model api_key api_base base_url custom_llm_provider rpm max_parallel_requests weight order timeout stream_timeout
  litellm_credential_name extra_body additional_drop_params`.split(/\s+/),
);

const readInfo = new Set(
  "mode max_tokens max_input_tokens max_output_tokens supports_vision supports_audio_input supports_pdf_input".split(
    " ",
  ),
);

const kindOfMode = byName<ApiType>({
  chat: "chat-completions",
  responses: "chat-completions",
  embedding: "embeddings",
  rerank: "rerank",
  image_generation: "image-generation",
  image_edit: "image-editing",
  audio_transcription: "audio-transcription",
  audio_speech: "text-to-speech",
  video_generation: "video-generation",
});

/** Values of `api_key` that mean that the server takes no key. */
const noKey = /^(none|null|empty|no-key|not-needed|dummy|fake-key)?$/i;

class Conversion {
  readonly #options: Options;
  readonly #namedVariables: ReadonlySet<string>;
  /** The names that programs use: no other model may get one of them as its id. */
  #names: ReadonlySet<string> = new Set();
  readonly #findings: Finding[] = [];
  readonly #providers = new Map<string, Provider>();
  readonly #keys: Converted["keys"] = [];
  readonly #file: ConvertedFile = { providers: {}, routes: [], models: {} };
  readonly #prices: PriceEntry[] = [];
  /** The credentials and variables that the configuration itself sets. */
  #credentials: Fields[] = [];
  #variables: Fields = {};
  readonly #usedVariables = new Set<string>();
  /** Chat models that may read pictures, though the configuration does not say so. */
  readonly #textOnly: string[] = [];

  /** `namedVariables`: those that the configuration names; no key in clear may get one of them. */
  constructor(options: Options, namedVariables: ReadonlySet<string>) {
    this.#options = options;
    this.#namedVariables = namedVariables;
  }

  convert(config: Fields): Converted {
    const {
      model_list: list,
      credential_list: credentials,
      environment_variables: variables,
      ...others
    } = config;
    this.#credentials = Array.isArray(credentials) ? credentials.filter(isRecord) : [];
    this.#variables = isRecord(variables) ? variables : {};
    const settings = {
      litellm_settings: recordIn(others, "litellm_settings"),
      router_settings: recordIn(others, "router_settings"),
      general_settings: recordIn(others, "general_settings"),
    };
    const groups = this.#readList(list as unknown[]);
    this.#names = new Set(groups.keys());
    const ids = new Map<string, string>();
    const fallbacks = readFallbacks(settings.litellm_settings, settings.router_settings);
    for (const [name, deployments] of groups) {
      const id = this.#addModel(name, deployments, fallbacks.has(name) || fallbacks.everybody.length > 0);
      if (id) ids.set(name, id);
    }
    this.#addAliases(ids, fallbacks, {
      ...recordIn(settings.litellm_settings, "model_alias_map"),
      ...recordIn(settings.router_settings, "model_group_alias"),
    });
    this.#addProviders(settings);
    if (this.#textOnly.length > 0)
      this.#find(
        shortList(this.#textOnly),
        "Their messages may have text only.",
        "Set model_info.supports_vision: true, or tick “Pictures in messages” under Models, Settings.",
      );
    const { calls, findings, read } = limitsOf(settings, (name) => ids.get(name));
    this.#findings.push(...findings);
    for (const [section, given] of Object.entries(settings))
      for (const name of Object.keys(given))
        if (!readSettings.has(name) && !read.has(`${section}.${name}`)) this.#leave(`${section}.${name}`);
    for (const name of Object.keys(others)) if (!(name in settings)) this.#leave(name);
    for (const name of Object.keys(this.#variables))
      if (!this.#usedVariables.has(name))
        this.#find(
          `environment_variables.${name}`,
          "Only the variables of providers' keys are read.",
          "Set it where the gateway runs if something else needs it.",
        );
    if (this.#prices.length > 0) Object.assign(this.#file, { currency: "USD", prices: this.#prices });
    return { file: this.#file, keys: this.#keys, findings: this.#findings, calls };
  }

  /** Returns null, so that a reader can end with it. */
  #find(place: string, reason: string, todo: string): null {
    const isKnown = this.#findings.some((one) => one.place === place && one.reason === reason);
    if (!isKnown) this.#findings.push({ place, reason, todo });
    return null;
  }

  #leave(place: string): void {
    this.#findings.push({ place, ...leftOut(place) });
  }

  /** The deployments that can run here, by the name that programs use. */
  #readList(list: readonly unknown[]): Map<string, Deployment[]> {
    const groups = new Map<string, Deployment[]>();
    for (const [index, given] of list.entries()) {
      const place = `model_list[${index}]`;
      const name = isRecord(given) ? textOf(given.model_name) : null;
      if (!isRecord(given) || !name) {
        this.#find(place, "It has no model_name.", "Give it one, and run the command again.");
        continue;
      }
      const deployment = this.#readDeployment(place, name, given);
      for (const other of Object.keys(given))
        if (!["model_name", "litellm_params", "model_info"].includes(other)) this.#leave(`${place}.${other}`);
      if (deployment) groups.set(name, [...(groups.get(name) ?? []), deployment]);
    }
    return groups;
  }

  #readDeployment(place: string, name: string, given: Fields): Deployment | null {
    const own = recordIn(given, "litellm_params");
    const params = { ...this.#credentialOf(place, own), ...own };
    const info = recordIn(given, "model_info");
    const model = textOf(params.model);
    const at = `${place}.litellm_params`;
    if (!model) return this.#find(at, "It names no model.", "Write its `model`.");
    if (name.includes("*") || model.includes("*")) {
      const todo =
        "Import the models that you use (`gatehouse import openrouter`, or Models in the console).";
      return this.#find(`${place}.model_name`, "A name with * stands for no certain model.", todo);
    }
    const target = targetOf(model, textOf(params.custom_llm_provider));
    if ("reason" in target) return this.#find(`${at}.model`, target.reason, target.todo);
    const mode = textOf(info.mode);
    const kind = mode === null ? undefined : kindOfMode[mode];
    if (mode !== null && !kind) {
      const todo = "Use one of the other kinds, or call the provider directly.";
      return this.#find(`${place}.model_info.mode`, `No operation does ${mode}.`, todo);
    }
    const provider = this.#providerOf(at, params, target);
    if (!provider) return null;
    const { fields, components } = this.#readFields(place, params, info);
    const seconds = (value: unknown) => this.#numberOf(value);
    provider.perMinute.push(this.#numberOf(params.rpm));
    provider.concurrency.push(this.#numberOf(params.max_parallel_requests));
    const [answer, idle] = [seconds(params.timeout), seconds(params.stream_timeout)];
    if (answer) provider.timeouts.answer = Math.max(provider.timeouts.answer ?? 0, answer);
    if (idle) provider.timeouts.idle = Math.max(provider.timeouts.idle ?? 0, idle);
    return { place, target, kind, provider, params, info, fields, components };
  }

  #credentialOf(place: string, params: Fields): Fields {
    const name = textOf(params.litellm_credential_name);
    if (name === null) return {};
    const found = this.#credentials.find((one) => one.credential_name === name);
    if (found) return recordIn(found, "credential_values");
    const todo = "Write its api_key as os.environ/X, and run the command again.";
    this.#find(`${place}.litellm_params.litellm_credential_name`, "credential_list has no such entry.", todo);
    return {};
  }

  /** Presets and prices; every other field of a deployment becomes a finding. */
  #readFields(place: string, params: Fields, info: Fields): Pick<Deployment, "fields" | "components"> {
    const [defaults, set]: [Fields, Fields] = [{}, recordIn(params, "extra_body")];
    const omit = Array.isArray(params.additional_drop_params)
      ? params.additional_drop_params.filter((one) => typeof one === "string" && one !== "")
      : [];
    const components: PriceComponent[] = [];
    const seen = new Set<string>();
    for (const [section, given, read] of [
      ["litellm_params", params, readParameters],
      ["model_info", info, readInfo],
    ] as const)
      for (const [name, value] of Object.entries(given)) {
        const at = `${place}.${section}.${name}`;
        if (read.has(name) || value === null) continue;
        if (section === "litellm_params" && requestParameters.has(name)) defaults[name] = value;
        else if (!isCost(name)) this.#leave(at);
        else if (!seen.has(name)) {
          seen.add(name);
          const component = componentOf(name, this.#plain(value));
          const isSecond = components.some(
            ({ kind, when }) =>
              kind === component?.kind && JSON.stringify(when) === JSON.stringify(component?.when),
          );
          if (component && !isSecond) components.push(component);
          else
            this.#find(
              at,
              component ? "Another cost of the model already has this kind." : "No kind of price fits.",
              "Set the price by hand (docs/money.md).",
            );
        }
      }
    const fields = {
      ...(omit.length > 0 && { omit }),
      ...(Object.keys(defaults).length > 0 && { defaults }),
      ...(Object.keys(set).length > 0 && { set }),
    };
    return { fields, components };
  }

  /** The provider for a deployment's address and key; null if the address is not known. */
  #providerOf(at: string, params: Fields, target: Deployment["target"]): Provider | null {
    const { upstream, prefix, isResponses } = target;
    const given = params.api_base ?? params.base_url;
    const address = given === undefined ? null : textOf(this.#plain(given));
    if (given !== undefined && (address === null || !URL.canParse(address))) {
      const name = variableOf(given);
      const reason = name ? `The variable ${name} is not set here.` : "It is no address.";
      return this.#find(`${at}.api_base`, reason, "Set it, and run the command again.");
    }
    const base = address === null ? upstream.base : (upstream.of?.(address) ?? address.replace(/\/+$/, ""));
    if (base === null) {
      const todo = "Write the address of the server as api_base, and run the command again.";
      return this.#find(`${at}.api_base`, `${prefix} has no usual address.`, todo);
    }
    const protocol = isResponses ? "openai-responses" : upstream.protocol;
    const secret = textOf(params.api_key);
    const isUsual = base === upstream.base;
    const env =
      secret === null ? (isUsual || prefix === "azure" ? upstream.env : null) : this.#keyOf(secret, prefix);
    const key = JSON.stringify([protocol, base, env]);
    const known = this.#providers.get(key);
    if (known) return known;
    const name = this.#freeName(isUsual ? prefix.replaceAll("_", "-") : `${prefix}-${hostOf(base)}`);
    const preset = isResponses ? "openai-responses" : upstream.preset;
    const provider: Provider = {
      name,
      entry: { protocol, base_url: base, ...(preset && (isUsual || prefix === "azure") && { preset }) },
      env,
      perMinute: [],
      concurrency: [],
      timeouts: {},
    };
    this.#providers.set(key, provider);
    for (const one of this.#keys) if (one.variable === env && one.provider === "") one.provider = name;
    return provider;
  }

  /** The variable of a key: `os.environ/X` is X, and a key in clear gets one. Null: no key is needed. */
  #keyOf(secret: string, prefix: string): string | null {
    const named = variableOf(secret);
    if (named !== null) {
      const value = textOf(Object.hasOwn(this.#variables, named) ? this.#variables[named] : null);
      if (value !== null) this.#usedVariables.add(named);
      const isClear = value !== null && variableOf(value) === null;
      if (isClear && !this.#keys.some(({ variable }) => variable === named))
        this.#keys.push({ variable: named, provider: "", secret: value });
      return named;
    }
    if (noKey.test(secret)) return null;
    const known = this.#keys.find((one) => one.secret === secret);
    if (known) return known.variable;
    const word = `${prefix.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_KEY`;
    const taken = new Set([...this.#namedVariables, ...this.#keys.map(({ variable: of }) => of)]);
    const variable = numbered(word, "_", (name) => taken.has(name));
    this.#keys.push({ variable, provider: "", secret });
    return variable;
  }

  #freeName(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9._-]/g, "-").slice(0, 55);
    const names = new Set([...this.#providers.values()].map(({ name }) => name.toLowerCase()));
    return numbered(plain, "-", (name) => names.has(name.toLowerCase()));
  }

  /** Adds the model of a name with a route for each deployment. The id; null if nothing can run it. */
  #addModel(name: string, all: readonly Deployment[], hasFallbacks: boolean): string | null {
    const [first] = all;
    if (!first) return null;
    if (Object.keys(this.#file.models).length >= maxModels) {
      this.#find(
        first.place,
        `A file has at most ${maxModels} models.`,
        "Import the others with a second file.",
      );
      return null;
    }
    // An alias cannot have the name of a model, so a name with fallbacks is left to the alias.
    const isId = !hasFallbacks && new RegExp(ownModelId).test(name) && !name.startsWith("svc/");
    const id = isId ? name : this.#idOf(first.target.prefix, name);
    const entry = this.#entryOf(id, first);
    if (!entry) return null;
    const { id: _, ...content } = entry;
    const kind = entry.operations[0]?.api_type;
    const usable = all.filter(({ place, kind: other }) => {
      if (other === undefined || other === kind) return true;
      this.#find(place, `${name} already is another kind of model.`, "Give it a model_name of its own.");
      return false;
    });
    const shares = sharesOf(usable.map(({ params }) => params));
    const routes = usable.flatMap((one, index) => {
      const { params, provider, target, fields, place } = one;
      const order = this.#numberOf(params.order);
      const route: RouteEntry = {
        models: [id],
        provider: provider.name,
        upstream_model: target.name,
        ...(order && { priority: Math.min(Math.round(order), routeNumbers.priority.maximum) }),
        ...(shares && { weight: shares[index] ?? 0 }),
        ...(Object.keys(fields).length > 0 && { fields }),
      };
      const { region } = this.#options;
      const model = { id, available_regions: [region], operations: entry.operations };
      const at = { protocol: provider.entry.protocol, regions: [region] };
      const [wrong] = expandRoute(route, at, [model]).problems;
      if (!wrong) return [route];
      this.#find(
        place,
        `Its route cannot work: ${wrong.at.replace(/^\./, "")} ${wrong.problem}.`,
        "Import it in the console.",
      );
      return [];
    });
    if (routes.length === 0) return null;
    this.#file.models[id] = {
      source: { kind: "import", provider: first.provider.name, name: first.target.name },
      entry: content as NonNullable<ModelEntry["entry"]>,
    };
    this.#file.routes.push(...routes);
    const isTextOnly = kind === "chat-completions" && !entry.input_modalities?.includes("image");
    if (isTextOnly && first.info.supports_vision !== false) this.#textOnly.push(id);
    this.#addPrices(id, kind as ApiType, usable);
    return id;
  }

  #idOf(prefix: string, name: string): string {
    const isTaken = (id: string) => id in this.#file.models || this.#names.has(id);
    return numbered(modelIdOf(prefix, name.replaceAll("/", "-")), "-", isTaken);
  }

  #entryOf(id: string, { place, target, kind, info }: Deployment): Entry | null {
    const tokens = (value: unknown) => {
      const count = this.#numberOf(value);
      return count !== null && Number.isInteger(count) && count > 0 ? count : null;
    };
    const { supports_vision: given } = info;
    const hasPictures = typeof given === "boolean" ? given : readsPictures(target.name);
    const reads = [
      "text",
      ...(hasPictures ? ["image"] : []),
      ...(info.supports_audio_input === true ? ["audio"] : []),
      ...(info.supports_pdf_input === true ? ["file"] : []),
    ] as InputModality[];
    const listed = {
      name: target.name,
      contextTokens: tokens(info.max_input_tokens),
      outputTokens: tokens(info.max_output_tokens) ?? tokens(info.max_tokens),
      reads,
    };
    const { region, today } = this.#options;
    try {
      const { entry } = entryOfListed(templateEntries, listed, {
        id,
        regions: [region],
        today,
        apiType: kind,
      });
      return entry;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#find(place, error.message, "Set model_info.mode, or import the model in the console.");
      return null;
    }
  }

  /** A price for each provider of the model, or one for all if there is only one. */
  #addPrices(model: string, kind: ApiType, deployments: readonly Deployment[]): void {
    const isOne = new Set(deployments.map(({ provider }) => provider)).size === 1;
    const priced = new Set<Provider>();
    for (const { provider, components, place } of deployments) {
      if (components.length === 0) continue;
      if (priced.has(provider)) {
        const reason = "Another deployment of the model has the price at this provider.";
        this.#find(place, reason, "Compare them, and set the right one (docs/money.md).");
        continue;
      }
      priced.add(provider);
      this.#prices.push({ model, api_type: kind, ...(!isOne && { provider: provider.name }), components });
    }
  }

  #addAliases(ids: ReadonlyMap<string, string>, fallbacks: Fallbacks, groups: Fields): void {
    const aliases: Record<string, AliasEntry> = {};
    const kindOf = (id: string) => this.#file.models[id]?.entry?.operations[0]?.api_type;
    const add = (place: string, name: string, group: string): unknown => {
      const id = ids.get(group);
      if (!id) return null;
      const { models: wanted, goOnWhen, isUsual } = fallbacks.of(group);
      const chain: string[] = [id];
      for (const other of wanted) {
        const next = ids.get(other) ?? ids.get(groupOf(groups[other]) ?? "");
        const at = `fallbacks of ${group}`;
        if (next && chain.includes(next)) continue;
        if (!next)
          this.#find(at, `${other} is not in the file.`, "Add it to the alias later (docs/failover.md).");
        else if (kindOf(next) === kindOf(id) && kindOf(id) !== "embeddings") chain.push(next);
        // The fallbacks of everybody are meant for chats.
        else if (!isUsual)
          this.#find(at, `${other} cannot answer for ${group}.`, "Give the model several routes instead.");
      }
      if (chain.length === 1 && name === id) return null;
      if (chain.length > aliasLimits.models)
        this.#find(
          `fallbacks of ${group}`,
          `An alias has at most ${aliasLimits.models} models.`,
          "The first ones stay.",
        );
      if (!new RegExp(aliasFields.name.pattern).test(name) || name.length > aliasFields.name.maxLength)
        return this.#find(place, `"${name}" cannot be the name of an alias.`, `Programs use ${id} instead.`);
      if (Object.keys(aliases).length >= aliasLimits.perAccount)
        return this.#find(
          place,
          `There are at most ${aliasLimits.perAccount} aliases.`,
          `Programs use ${id} instead.`,
        );
      aliases[name] = {
        models: chain.slice(0, aliasLimits.models),
        ...(goOnWhen && { go_on_when: goOnWhen }),
      };
      return null;
    };
    for (const name of ids.keys()) add(`model_name ${name}`, name, name);
    for (const [name, given] of Object.entries(groups)) {
      const place = `model_group_alias.${name}`;
      const group = groupOf(given);
      if (isRecord(given) && given.hidden === true)
        this.#find(`${place}.hidden`, "An alias is listed for everybody.", "Nothing to do.");
      if (group !== null && ids.has(group)) add(place, name, group);
      else this.#find(place, "Its model is not in the file.", "Make the alias later (docs/failover.md).");
    }
    if (Object.keys(aliases).length > 0) this.#file.aliases = aliases;
  }

  #addProviders({ litellm_settings: library, router_settings: router }: Record<string, Fields>): void {
    const usual = this.#numberOf(router?.timeout) ?? this.#numberOf(library?.request_timeout);
    const usualIdle = this.#numberOf(router?.stream_timeout);
    const used = new Set(this.#file.routes.map(({ provider }) => provider));
    for (const { name, entry, env, perMinute, concurrency, timeouts } of this.#providers.values()) {
      if (!used.has(name)) continue;
      const [answer, idle] = [timeouts.answer ?? usual, timeouts.idle ?? usualIdle];
      const limits = {
        ...this.#limitOf(name, "rpm", perMinute, "per_minute"),
        ...this.#limitOf(name, "max_parallel_requests", concurrency, "concurrency"),
      };
      const hasLimits = Object.keys(limits).length > 0;
      if (hasLimits && env === null)
        this.#find(
          `rpm of ${name}`,
          "A limit belongs to a key, and this server has none.",
          "Give the server a key.",
        );
      const credential =
        env === null ? {} : hasLimits ? { keys: [{ name: "main", env, ...limits }] } : { env };
      this.#file.providers[name] = {
        ...entry,
        credentials: { [this.#options.region]: credential },
        ...((answer || idle) && {
          timeouts_ms: { ...(answer && { answer: ms(answer) }), ...(idle && { idle: ms(idle) }) },
        }),
      } as ProviderEntry;
    }
    const unused = new Set(
      [...this.#providers.values()].flatMap(({ name, env }) => (used.has(name) ? (env ?? []) : [])),
    );
    for (let at = this.#keys.length - 1; at >= 0; at -= 1)
      if (!unused.has(this.#keys[at]?.variable ?? "")) this.#keys.splice(at, 1);
  }

  /** The limit of a key, which all its deployments share: the sum of theirs. */
  #limitOf(
    provider: string,
    field: string,
    given: readonly (number | null)[],
    name: "per_minute" | "concurrency",
  ): Partial<Record<typeof name, number>> {
    const set = given.filter((one) => one !== null && one > 0) as number[];
    if (set.length === 0) return {};
    const sum = Math.round(set.reduce((total, one) => total + one, 0));
    if (set.length < given.length) {
      const reason = "A limit holds for all models of a key, and one of them has none.";
      this.#find(
        `${field} at ${provider}`,
        reason,
        "Set a limit at the provider's key (docs/connect-models.md).",
      );
      return {};
    }
    if (set.length > 1)
      this.#find(
        `${field} at ${provider}`,
        `Its models share the key, so its limit is their sum, ${sum}.`,
        "Change it at the provider's key if that is wrong.",
      );
    return { [name]: Math.min(Math.max(sum, 1), providerKeyRates[name].maximum) };
  }

  #plain(value: unknown): unknown {
    const name = variableOf(value);
    if (name === null) return value;
    return textOf(this.#variables[name]) ?? this.#options.environment[name];
  }

  #numberOf(value: unknown): number | null {
    const plain = this.#plain(value);
    const number = typeof plain === "string" && plain.trim() !== "" ? Number(plain) : plain;
    return typeof number === "number" && Number.isFinite(number) ? number : null;
  }
}

/** Settings that are read; the limits are read by `limitsOf`. */
const readSettings = new Set(
  "fallbacks default_fallbacks context_window_fallbacks model_group_alias model_alias_map request_timeout timeout stream_timeout".split(
    " ",
  ),
);

function ms(seconds: number): number {
  return Math.min(
    Math.max(Math.round(seconds * 1_000), providerTimeoutMs.minimum),
    providerTimeoutMs.maximum,
  );
}

/** The weights as LiteLLM draws: `weight`, else `rpm`, else `tpm`; null: all alike. */
function sharesOf(params: readonly Fields[]): number[] | null {
  if (params.length < 2) return null;
  for (const name of ["weight", "rpm", "tpm"]) {
    // LiteLLM asks the first deployment which of them it uses.
    if (typeof params[0]?.[name] !== "number") continue;
    const values = params.map((given) => (typeof given[name] === "number" ? given[name] : 0));
    const most = Math.max(...values);
    if (most <= 0) continue;
    const scale = most > routeNumbers.weight.maximum || values.some((one) => !Number.isInteger(one));
    const factor = scale ? routeNumbers.weight.maximum / most : 1;
    return values.map((one) => (one <= 0 ? 0 : Math.max(1, Math.round(one * factor))));
  }
  return null;
}
