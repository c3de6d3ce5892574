import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Context } from "#gateway/context.ts";

/** What a command works with: the settings and the database, opened for it. */
export type CommandContext = Pick<Context, "config" | "log" | "database">;

export interface Command {
  /** One line of the list of commands. */
  summary: string;
  /** What follows the command's name, and what each option means. */
  usage: string;
  options: ParseArgsOptionsConfig;
  /** Checks the options before the database is opened; what it returns does the work and gives the one line to print. */
  prepare(values: Record<string, unknown>): (context: CommandContext) => Promise<string>;
}

/** The command line cannot be understood; the message says what to write instead. */
export class UsageError extends Error {}

/** Reads the options of a command. Throws UsageError. */
export function readOptions(command: Command, words: string[]): Record<string, unknown> {
  try {
    return parseArgs({ args: words, options: command.options, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A text option that must be there. */
export function required(values: Record<string, unknown>, name: string): string {
  const value = values[name];
  if (typeof value === "string" && value.trim()) return value.trim();
  throw new UsageError(`--${name} is missing`);
}
