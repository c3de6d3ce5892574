import { keyVariable } from "../../key-variable.ts";

/** A snippet with a key where it reads the environment variable. */
export function withKey(code: string, key: string): string {
  return code
    .replaceAll(`process.env.${keyVariable}`, () => JSON.stringify(key))
    .replaceAll(`os.environ['${keyVariable}']`, () => `'${key}'`)
    .replaceAll(`$${keyVariable}`, () => key);
}
