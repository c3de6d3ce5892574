import { type EndedAccess, endedAccessWords, endedKeysGrace } from "#contract/operator/constants.ts";
import type { AccessEnd } from "#contract/operator/everybody-out.ts";
import { endAccess, openAccess } from "#gateway/access/accounts/everybody-out.ts";
import { reasonIn } from "./accounts.ts";
import { type Command, UsageError } from "./command.ts";

const options = {
  account: { type: "string" },
  reason: { type: "string" },
  yes: { type: "boolean" },
} as const;

const optionTexts = `  --account <id>      only of this account (default: of all accounts)
  --reason <text>     why; the audit logs of the accounts keep it
  --yes               do it; without it only prints what would end and what keeps working`;

/** `gatehouse sessions end`: everybody must sign in again. */
export const endSessions: Command = {
  usage: `sessions end --reason <text> [--account <id>] [--yes]

${optionTexts}

${endedAccessWords.sessions.ends}
${endedAccessWords.sessions.leaves}`,
  options,
  prepare: (values) => ending("sessions", values),
};

/** `gatehouse keys end`: members must make new personal keys. */
export const endPersonalKeys: Command = {
  usage: `keys end --reason <text> [--grace <seconds>] [--account <id>] [--yes]

${optionTexts}
  --grace <seconds>   how long the keys still work, at most ${endedKeysGrace.maximum} (default: 0)

${endedAccessWords.personal_keys.ends}
${endedAccessWords.personal_keys.leaves}`,
  options: { ...options, grace: { type: "string" } },
  prepare: (values) => ending("personal_keys", values),
};

function ending(what: EndedAccess, values: Record<string, unknown>): ReturnType<Command["prepare"]> {
  const account = typeof values.account === "string" ? values.account : undefined;
  const asked: AccessEnd = {
    what,
    reason: reasonIn(values),
    ...(account !== undefined && { account_id: account }),
    ...(what === "personal_keys" && { grace_seconds: graceIn(values.grace) }),
  };
  return async ({ database }) => {
    if (values.yes !== true) {
      const { ends, leaves } = endedAccessWords[what];
      const open = await openAccess(database.queries, account);
      const counts = `Open now: ${counted(open.sessions, "session")}, ${counted(open.personal_keys, "personal key")}, ${counted(open.connections, "agent connection")}, ${counted(open.service_keys, "service key")}.`;
      return [counts, ends, leaves, "Nothing was changed. Add --yes to do it."].join("\n");
    }
    const ended = await database.transaction((queries) => endAccess(queries, asked, { actor: null }, null));
    return what === "sessions"
      ? `${counted(ended.sessions, "session")} ended`
      : `Ended: ${counted(ended.connections, "agent connection")}. Ending ${ended.keys_end_at}: ${counted(ended.personal_keys, "personal key")}`;
  };
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

function graceIn(given: unknown): number {
  if (given === undefined) return 0;
  const seconds = typeof given === "string" && /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (seconds <= endedKeysGrace.maximum) return seconds;
  throw new UsageError(`--grace is a number of seconds, at most ${endedKeysGrace.maximum}`);
}
