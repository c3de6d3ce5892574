import { existsSync, lstatSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Environment } from "./setting-reader.ts";

export const loopback = "127.0.0.1";
export const allAddresses = "0.0.0.0";

/** Marks data folders created since new installations listen only on loopback. */
const markName = "listens-on-loopback";
const markText = `This installation listens on ${loopback} unless GATEWAY_HOST, CONSOLE_HOST or a public address is set.\n`;
/**
 * If one of these settings or a public address is set, an operator has already decided which machines can
 * connect.
 */
const elsewhere = ["DATABASE_URL", "GATEWAY_URL"];
const publicAddresses = ["GATEWAY_PUBLIC_URL", "CONSOLE_PUBLIC_URL", "NEXTAUTH_URL"];
const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Whether the programs of this data folder listen on loopback by default: true with the embedded database, no
 * public address, and a data folder that was created since this default exists.
 */
export function isForThisMachine(environment: Environment, dataDir: string): boolean {
  if (elsewhere.some((name) => environment[name]?.trim())) return false;
  if (publicAddresses.some((name) => isPublic(environment[name]?.trim()))) return false;
  return isMarked(dataDir) || isNewFolder(dataDir);
}

export function isMarked(dataDir: string): boolean {
  return existsSync(path.join(dataDir, markName));
}

/** Whether the data folder contains no database yet. */
export function isNewFolder(dataDir: string): boolean {
  return !lstatSync(path.join(dataDir, "postgres"), { throwIfNoEntry: false });
}

/** Call before creating the database of a data folder. */
export function markNewFolder(dataDir: string): void {
  if (isNewFolder(dataDir)) writeFileSync(path.join(dataDir, markName), markText, { mode: 0o600 });
}

/** Whether other machines can reach a URL, judged by its host name. */
export function isPublic(url: string | undefined): boolean {
  return Boolean(url) && !(URL.canParse(url ?? "") && thisMachine.test(new URL(url ?? "").hostname));
}
