import { byName } from "#contract/by-name.ts";
import { commandLine } from "#gateway/platform/core/command-line.ts";
import { type Command, readOptions, type StandaloneCommand, UsageError } from "./command.ts";

/** A command in the list. Its file is loaded when it runs, so that the overview prints without delay. */
interface Listed<Kind> {
  summary: string;
  load(): Promise<Kind>;
}

const commands = byName<Listed<Command>>({
  "account create": {
    summary: "Create an account and its owner",
    load: async () => (await import("./accounts.ts")).createAccount,
  },
  "account list": {
    summary: "List the accounts",
    load: async () => (await import("./accounts.ts")).listAccounts,
  },
  "account delete": {
    summary: "Delete an account, in a week or at once",
    load: async () => (await import("./accounts.ts")).deleteAccount,
  },
  "account certificate": {
    summary: "Print what the deletion of an account removed",
    load: async () => (await import("./accounts.ts")).accountCertificate,
  },
  "account suspend": {
    summary: "Refuse the keys and sessions of an account, with your reason",
    load: async () => (await import("./accounts.ts")).suspendAccount,
  },
  "account unsuspend": {
    summary: "Lift the suspension of an account",
    load: async () => (await import("./accounts.ts")).unsuspendAccount,
  },
  "account keep": {
    summary: "Cancel the deletion of an account",
    load: async () => (await import("./accounts.ts")).keepAccount,
  },
  "account limits": {
    summary: "Set what limits one account",
    load: async () => (await import("./limits.ts")).limitAccount,
  },
  "plans list": {
    summary: "List the plans: limits under a name",
    load: async () => (await import("./limits.ts")).listAllPlans,
  },
  "plans set": {
    summary: "Make or change a plan",
    load: async () => (await import("./limits.ts")).setPlan,
  },
  "plans delete": {
    summary: "Delete a plan that no account has",
    load: async () => (await import("./limits.ts")).removePlan,
  },
  "account networks": {
    summary: "Print from which networks an account may be used, or allow all again",
    load: async () => (await import("./accounts.ts")).accountNetworks,
  },
  drain: {
    summary: "Let a machine take no new work and finish what it has",
    load: async () => (await import("./nodes.ts")).drain,
  },
  undrain: {
    summary: "Let a drained machine take work again",
    load: async () => (await import("./nodes.ts")).undrain,
  },
  scrub: {
    summary: "Leave nothing of removed rows in the database's files",
    load: async () => (await import("./scrub.ts")).scrub,
  },
  "keys create": {
    summary: "Create an account key",
    load: async () => (await import("./accounts.ts")).createKey,
  },
  "keys end": {
    summary: "End all personal keys, at once or later",
    load: async () => (await import("./everybody-out.ts")).endPersonalKeys,
  },
  "sessions end": {
    summary: "End all sessions: everybody must sign in again",
    load: async () => (await import("./everybody-out.ts")).endSessions,
  },
  "users list": {
    summary: "List the users and their accounts",
    load: async () => (await import("./users.ts")).listUsers,
  },
  "users reset": {
    summary: "Create a link with which a user sets a new password",
    load: async () => (await import("./users.ts")).resetUser,
  },
  "users remove": {
    summary: "Remove a user from all accounts",
    load: async () => (await import("./users.ts")).removeUser,
  },
  "users clear-second-factor": {
    summary: "Remove the second factor of somebody who lost it",
    load: async () => (await import("./users.ts")).clearSecondFactor,
  },
  "operators add": {
    summary: "Let a user run this installation",
    load: async () => (await import("./users.ts")).addOperator,
  },
  "operators remove": {
    summary: "Stop a user from running this installation",
    load: async () => (await import("./users.ts")).removeOperator,
  },
  "sign-in allow-passwords": {
    summary: "Let members sign in without the identity provider again",
    load: async () => (await import("./accounts.ts")).allowPasswords,
  },
});

const standalone = byName<Listed<StandaloneCommand>>({
  "account export": {
    summary: "Write everything of an account into ZIP files, for its owner",
    load: async () => (await import("./export.ts")).exportAccount,
  },
  apply: {
    summary: "Set providers, models, routes, aliases and prices from a file",
    load: async () => (await import("./apply.ts")).apply,
  },
  doctor: {
    summary: "Say what is wrong or old in this installation, and what to do",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  "import litellm": {
    summary: "Convert LiteLLM's config.yaml to a file for apply",
    load: async () => (await import("./import-litellm.ts")).importLiteLlm,
  },
  "import openrouter": {
    summary: "List what a key of OpenRouter can run, and propose a file for apply",
    load: async () => (await import("./import-models.ts")).importOpenRouter,
  },
  "import replicate": {
    summary: "List what a key of Replicate can run, and propose a file for apply",
    load: async () => (await import("./import-models.ts")).importReplicate,
  },
  listen: {
    summary: "Forward webhook events to your machine",
    load: async () => (await import("./listen.ts")).listen,
  },
  migrate: {
    summary: "Bring the database up to this release, before its processes start.",
    load: async () => (await import("./migrate.ts")).migrate,
  },
  types: {
    summary: "Write TypeScript types of your catalog",
    load: async () => (await import("./types.ts")).types,
  },
});

const standardError = 2;
const helpFlags = ["--help", "-h", "help"];

/**
 * Runs a command and returns the exit code of the process. Only the command's result goes to standard output.
 */
export async function main(words: string[]): Promise<number> {
  const [first = ""] = words;
  const isOneWord = Object.hasOwn(standalone, first) || Object.hasOwn(commands, first);
  const name = isOneWord ? first : words.slice(0, 2).join(" ");
  const own = await standalone[name]?.load();
  const withDatabase = await commands[name]?.load();
  const command = own ?? withDatabase;
  if (words.some((word) => helpFlags.includes(word)) || words.length === 0) {
    console.log(command ? `${commandLine} ${command.usage}` : overview(words[0]));
    return words.length === 0 ? 2 : 0;
  }
  if (!command) {
    console.error(`Unknown command "${name}".\n\n${overview(words[0])}`);
    return 2;
  }
  try {
    if (own) await runStandalone(own, words.slice(name.split(" ").length));
    else if (withDatabase) console.log(await run(withDatabase, words.slice(name.split(" ").length)));
    return 0;
  } catch (error) {
    const { messageWithoutParameters } = await import("#gateway/platform/database/failed-query.ts");
    console.error(messageWithoutParameters(error));
    if (error instanceof UsageError) console.error(`\n${commandLine} ${command.usage}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(command: Command, words: string[]): Promise<string> {
  const work = command.prepare(readOptions(command, words));
  const { pino } = await import("pino");
  const { readInstallation } = await import("#gateway/platform/core/config.ts");
  const { serializeError } = await import("#gateway/platform/database/failed-query.ts");
  const { openDatabase } = await import("#gateway/platform/database/open.ts");
  const config = readInstallation();
  const log = pino(
    { level: "warn", serializers: { err: serializeError } },
    pino.destination({ fd: standardError, sync: true }),
  );
  const database = await openDatabase(config, log, "borrow");
  try {
    return await work({ config, log, database });
  } finally {
    await database.close();
  }
}

/** Runs a command that opens what it needs itself. Ctrl-C ends the command without an error. */
async function runStandalone(command: StandaloneCommand, words: string[]): Promise<void> {
  const work = command.prepare(readOptions(command, words));
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
  await work(interrupted.signal);
}

/** All commands, or the commands of one topic. */
function overview(topic: string | undefined): string {
  const all = Object.entries({ ...commands, ...standalone });
  const chosen = all.filter(([name]) => topic !== undefined && name.startsWith(`${topic} `));
  const rows = (chosen.length > 0 ? chosen : all).map(
    ([name, { summary }]) => `  ${name.padEnd(27)}${summary}`,
  );
  return [
    "Works on this machine's Gatehouse, running or not, with its .env, data folder or DATABASE_URL.",
    "",
    ...rows,
    "",
    `For details: ${commandLine} <command> --help`,
  ].join("\n");
}
