import type { CatalogModel } from "#contract/catalog.ts";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import { providerFields, providerNameForm, providerNameLength } from "#contract/operator/constants.ts";
import type { NewCredential, ProviderCreate, ProviderPreset } from "#contract/operator/providers.ts";
import type { Words } from "@/messages/words";

export interface KeyValues {
  kind: "key" | "ref" | "none";
  key: string;
  ref: string;
}

export interface ProviderValues {
  name: string;
  address: string;
  credential: KeyValues;
  regions: RegionName[];
  allowPrivate: boolean;
  /** For a private server that stores its outputs elsewhere. One origin per line. */
  outputOrigins: string;
}

/** Why the key or its reference is invalid, or true. */
export function keyProblem(t: Words<"providers">, { kind, key, ref }: KeyValues): string | true {
  if (kind === "key" && key.trim() === "") return t("pasteTheKey");
  if (kind === "ref" && !new RegExp(providerFields.keyReference.pattern).test(ref.trim()))
    return t("writeEnvOrFile");
  return true;
}

/** The contract's rule for a provider's name, for the name field. */
export const nameRule = { ...providerFields.name, maxLength: providerNameLength };

/** The problem with a name, or true. */
export function nameProblem(t: Words<"providers">, name: string): string | true {
  return new RegExp(providerNameForm).test(name.trim()) || t("lettersOfAName");
}

/** The initial form for a preset. */
export function newProviderValues(
  preset: ProviderPreset,
  {
    homeRegion,
    neededRegions,
    takenNames,
  }: { homeRegion: RegionName; neededRegions: readonly RegionName[]; takenNames: readonly string[] },
): ProviderValues {
  const own = Object.keys(preset.base_urls) as RegionName[];
  // A provider with its own regions has a key for each region, and a server that the operator runs is in one place.
  const oneRegion = own.includes(homeRegion) || own.length === 0 ? [homeRegion] : own.slice(0, 1);
  return {
    name: freeName(preset.id, takenNames),
    address: preset.base_url ?? preset.base_url_template ?? "",
    credential: { kind: preset.needs_key ? "key" : "none", key: "", ref: "" },
    regions: own.length === 0 && preset.place === "cloud" ? [...neededRegions] : oneRegion,
    allowPrivate: false,
    outputOrigins: "",
  };
}

/**
 * All regions that offer models of these kinds, and the home region. With fewer regions, some models would
 * have no provider.
 */
export function regionsFor(
  kinds: readonly string[],
  models: readonly Pick<CatalogModel, "api_types" | "available_regions">[],
  homeRegion: RegionName,
): RegionName[] {
  const needed = new Set(
    models
      .filter(({ api_types }) => api_types.some((kind) => kinds.includes(kind)))
      .flatMap(({ available_regions }) => available_regions),
  );
  return regionNames.filter((region) => region === homeRegion || needed.has(region));
}

/** A name that is not in use: `openai`, `openai-2`, … */
function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number += 1) name = `${wanted}-${number}`;
  return name;
}

/** The request for the form. The same key serves every chosen region. */
export function providerBody(values: ProviderValues, preset: ProviderPreset): ProviderCreate {
  const credential = credentialOf(values.credential);
  const address = values.address.trim();
  const regional = Object.keys(preset.base_urls).length > 0;
  const origins = values.allowPrivate ? outputOriginsOf(values.outputOrigins) : [];
  return {
    name: values.name.trim(),
    preset: preset.id,
    protocol: preset.protocol,
    credentials: Object.fromEntries(values.regions.map((region) => [region, credential])),
    ...(!regional && address && { base_url: address }),
    ...(regional && { base_urls: baseUrlsOf(values.regions, preset) }),
    ...(values.allowPrivate && { allow_private: true }),
    ...(origins.length > 0 && { settings: { output_origins: origins } }),
  };
}

function baseUrlsOf(regions: readonly RegionName[], { base_urls }: ProviderPreset) {
  return Object.fromEntries(
    regions.flatMap((region) => (base_urls[region] ? [[region, base_urls[region]]] : [])),
  );
}

export function credentialOf({ kind, key, ref }: KeyValues): NewCredential {
  if (kind === "key") return { key: key.trim() };
  return kind === "ref" ? { ref: ref.trim() } : {};
}

/**
 * Whether an address belongs to this machine or a private network, or is not encrypted. The gateway calls such
 * an address only if the operator allows it.
 */
export function looksPrivate(address: string): boolean {
  const { hostname: host = "", protocol } = URL.parse(address.trim()) ?? {};
  return (
    (protocol === "http:" && host !== "") ||
    /^(localhost|.*\.(local|internal|lan)|\[::1\]|\[f[cd].*\])$/i.test(host) ||
    /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host) ||
    (host !== "" && !host.includes("."))
  );
}

const originForm = /^https?:\/\/[^\s?#/]+$/;

/** The origins in a text with one origin per line. */
export function outputOriginsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** The problem with the lines, or true. */
export function outputOriginsProblem(t: Words<"providers">, text: string): string | true {
  const wrong = outputOriginsOf(text).find((line) => !originForm.test(line));
  return wrong === undefined || t("noOrigin", { wrong });
}
