/** The environment variable with the account key, in snippets, `.env` lines and the command line. */
export const keyVariable = "GATEHOUSE_API_KEY";

/** Puts a key into a snippet in place of the environment variable. */
export function withKey(code: string, key: string): string {
  return code
    .replaceAll(`process.env.${keyVariable}`, () => JSON.stringify(key))
    .replaceAll(`os.environ['${keyVariable}']`, () => `'${key}'`)
    .replaceAll(`$${keyVariable}`, () => key);
}
