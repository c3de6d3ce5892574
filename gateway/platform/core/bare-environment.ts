/** The environment of a program that reads strangers' files: where programs are, and nothing secret. */
export function bareEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: process.env.PATH, LANG: "C.UTF-8", ...more };
}
