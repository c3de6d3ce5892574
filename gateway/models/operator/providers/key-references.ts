import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Config } from "#gateway/platform/core/config.ts";

/**
 * The folder where containers and systemd put secrets. A reference to any other file could read every secret
 * of the machine.
 */
const secretsFolder = "/run/secrets";
const maxBytes = 8_192;
/** Settings of Gatehouse and its machine that are never a provider's key. */
const ownVariables =
  /^(AUTH_SECRET|CONSOLE_SECRET|OIDC_|OWNER_|METRICS_TOKEN|DATABASE_URL|PG|AWS_|S3_|NODE_|PATH$|HOME$)/;

export type KeyVariables = Pick<Config, "providerKeyVariables">;

export interface ReferencePlaces {
  environment: Record<string, string | undefined>;
  folder: string;
}

const here: ReferencePlaces = { environment: process.env, folder: secretsFolder };

/** The key behind `env:NAME` or `file:/run/secrets/name`, or the reason why there is none. */
export function readReference(
  reference: string,
  { environment, folder }: ReferencePlaces = here,
): { key: string } | { problem: string } {
  if (reference.startsWith("env:")) {
    const name = reference.slice("env:".length);
    if (ownVariables.test(name))
      return { problem: `${name} is a setting of this gateway, not a provider's key` };
    const key = environment[name]?.trim();
    return key ? { key } : { problem: `the environment variable ${name} is not set` };
  }
  const file = reference.slice("file:".length);
  if (!isInside(folder, path.resolve(file))) return { problem: `${file} is not below ${folder}` };
  try {
    const real = realpathSync(file);
    if (!isInside(realpathSync(folder), real))
      return { problem: `${file} is a link to a file outside ${folder}` };
    const key = readFileSync(real, "utf8").slice(0, maxBytes).trim();
    return key ? { key } : { problem: `${file} is empty` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: `${file} cannot be read (${code})` };
  }
}

const keyPrefix = "GATEHOUSE_KEY_";

/**
 * Whether operators may use this variable. The process can have other variables with secrets that operators
 * must not read.
 */
export function isKeyVariable({ providerKeyVariables }: KeyVariables, name: string): boolean {
  return name.startsWith(keyPrefix) || providerKeyVariables.includes(name);
}

/** Why operators may not use this reference; null if they may. */
export function referenceProblem(config: KeyVariables, reference: string): string | null {
  if (!reference.startsWith("env:")) return null;
  const name = reference.slice("env:".length);
  if (isKeyVariable(config, name)) return null;
  return `${name} may not be named here: use a variable whose name begins with ${keyPrefix}, or list this one in PROVIDER_KEY_VARIABLES`;
}

/** Kubernetes puts service account tokens into subfolders of the same folder; they are not provider keys. */
function isInside(folder: string, file: string): boolean {
  const inside = path.relative(folder, file);
  return (
    inside !== "" &&
    !inside.startsWith("..") &&
    !path.isAbsolute(inside) &&
    !inside.startsWith("kubernetes.io")
  );
}
