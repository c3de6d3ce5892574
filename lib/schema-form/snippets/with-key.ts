import { keyVariable } from "../../key-variable.ts";

/** Puts a key into a snippet in place of the environment variable. */
export function withKey(code: string, key: string): string {
  return code
    .replaceAll(`process.env.${keyVariable}`, () => JSON.stringify(key))
    .replaceAll(`os.environ['${keyVariable}']`, () => `'${key}'`)
    .replaceAll(`$${keyVariable}`, () => key);
}
