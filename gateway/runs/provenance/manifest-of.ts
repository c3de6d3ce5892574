import type { Manifest } from "#contract/outputs.ts";
import { hidden } from "#gateway/files/storage/attachment.ts";

/** Limits for text that comes from strangers' files. */
const maxCharacters = 300;
const maxActions = 16;

type Part = Record<string, unknown>;

/**
 * The part of the library's report that we show. All of it comes from the file's author: any field may be
 * missing or of another type.
 */
export function manifestOf(report: unknown): Manifest {
  const store = part(report);
  const active = part(own(part(store.manifests), store.active_manifest));
  const signature = part(active.signature_info);
  const actions = array(active.assertions)
    .map(part)
    .filter(({ label }) => typeof label === "string" && /^c2pa\.actions(\.v\d+)?$/.test(label))
    .flatMap(({ data }) => array(part(data).actions).map(part));
  const named = actions.flatMap(({ action }) => words(action) ?? []);
  return {
    state: "present",
    issuer: words(signature.issuer) ?? words(signature.common_name),
    claims: {
      validation: validationOf(store.validation_state),
      generator: generatorOf(active),
      digital_source_type:
        actions.map(({ digitalSourceType }) => words(digitalSourceType)).find(Boolean) ?? null,
      actions: [...new Set(named)].slice(0, maxActions),
      signed_at: words(signature.time),
    },
  };
}

/** We set no list of trusted signers, so the library never reports "trusted". */
function validationOf(state: unknown): "valid" | "invalid" | "unreadable" {
  if (state === "Valid" || state === "Trusted") return "valid";
  return state === "Invalid" ? "invalid" : "unreadable";
}

function generatorOf({ claim_generator_info: info, claim_generator: older }: Part): string | null {
  const { name, version } = part(array(info)[0]);
  const known = [words(name), words(version)].filter(Boolean).join(" ");
  return known === "" ? words(older) : known;
}

function own(holder: Part, name: unknown): unknown {
  return typeof name === "string" && Object.hasOwn(holder, name) ? holder[name] : null;
}

function part(value: unknown): Part {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Part) : {};
}

function array(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that is safe to show and store: no control characters, no direction marks, bounded length. */
function words(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.slice(0, maxCharacters).toWellFormed().replace(hidden, "").trim();
  return text === "" ? null : text;
}
