import { pino } from "pino";
import { byName } from "#contract/by-name.ts";
import { readInstallation } from "#gateway/core/config.ts";
import { messageWithoutParameters, serializeError } from "#gateway/database/failed-query.ts";
import { openDatabase } from "#gateway/database/open.ts";
import { allowPasswords } from "./allow-passwords.ts";
import { apply } from "./apply.ts";
import { clearSecondFactor } from "./clear-second-factor.ts";
import { type Command, readOptions, type StandaloneCommand, UsageError } from "./command.ts";
import { createAccount } from "./create-account.ts";
import { createKey } from "./create-key.ts";
import { deleteAccount, keepAccount, listAccounts } from "./delete-account.ts";
import { listen } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { addOperator, removeOperator } from "./operators.ts";
import { types } from "./types.ts";
import { listUsers, removeUser, resetUser } from "./users.ts";

const commands = byName<Command>({
  "account create": createAccount,
  "account list": listAccounts,
  "account delete": deleteAccount,
  "account keep": keepAccount,
  "keys create": createKey,
  "users list": listUsers,
  "users reset": resetUser,
  "users remove": removeUser,
  "users clear-second-factor": clearSecondFactor,
  "operators add": addOperator,
  "operators remove": removeOperator,
  "sign-in allow-passwords": allowPasswords,
});

const standalone = byName<StandaloneCommand>({ apply, listen, migrate, types });

const standardError = 2;
const helpFlags = ["--help", "-h", "help"];

/** Runs one command; the answer is the process's exit code. Only the command's result goes to standard output. */
export async function main(words: string[]): Promise<number> {
  const [first = ""] = words;
  const name = Object.hasOwn(standalone, first) ? first : words.slice(0, 2).join(" ");
  const command = commands[name] ?? standalone[name];
  if (words.some((word) => helpFlags.includes(word)) || words.length === 0) {
    console.log(command ? `npm run -s gatehouse -- ${command.usage}` : overview(words[0]));
    return words.length === 0 ? 2 : 0;
  }
  if (!command) {
    console.error(`Unknown command "${name}".\n\n${overview(words[0])}`);
    return 2;
  }
  try {
    if (standalone[name]) await runStandalone(standalone[name], words.slice(1));
    else if (commands[name]) console.log(await run(commands[name], words.slice(2)));
    return 0;
  } catch (error) {
    console.error(messageWithoutParameters(error));
    if (error instanceof UsageError) console.error(`\nnpm run -s gatehouse -- ${command.usage}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(command: Command, words: string[]): Promise<string> {
  const work = command.prepare(readOptions(command, words));
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

/** Ends with Ctrl-C, which is not a failure. */
async function runStandalone(command: StandaloneCommand, words: string[]): Promise<void> {
  const work = command.prepare(readOptions(command, words));
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
  await work(interrupted.signal);
}

/** All commands, or those of one topic. */
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
    "For details: npm run -s gatehouse -- <command> --help",
  ].join("\n");
}
