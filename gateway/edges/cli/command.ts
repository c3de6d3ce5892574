import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { EdgesContext } from "#gateway/edges/context.ts";

/** What a command receives: the settings and an open database. */
export type CommandContext = Pick<EdgesContext, "config" | "log" | "database">;

interface Described {
  /** The arguments and the meaning of each option. */
  usage: string;
  /** The name of the command's only positional argument. */
  argument?: string;
  options: ParseArgsOptionsConfig;
}

export interface Command extends Described {
  /**
   * Checks the options before the database is opened. The returned function does the work and returns the
   * line to print.
   */
  prepare(values: Record<string, unknown>): (context: CommandContext) => Promise<string>;
}

/** A command that opens what it needs itself; it runs until it is done or interrupted. */
export interface StandaloneCommand extends Described {
  prepare(values: Record<string, unknown>): (signal: AbortSignal) => Promise<void>;
}

/** The command line is invalid. The message says what to write instead. */
export class UsageError extends Error {}

/** Reads the options of a command. Throws UsageError. */
export function readOptions(command: Described, words: string[]): Record<string, unknown> {
  const { options, argument } = command;
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options,
      strict: true,
      allowPositionals: argument !== undefined,
    });
    if (positionals.length > 1) throw new Error(`Give only one ${argument}.`);
    return argument === undefined ? values : { ...values, [argument]: positionals[0] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A required text option. */
export function required(values: Record<string, unknown>, name: string): string {
  const value = values[name];
  if (typeof value === "string" && value.trim()) return value.trim();
  throw new UsageError(`--${name} is required`);
}

/** Says in words that there is no such file; passes other errors on. */
export function nameMissing(file: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw error.code === "ENOENT" ? new Error(`There is no file ${file}.`) : error;
  };
}

/** Control and format characters, and line ends: a terminal may interpret them as commands. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes text from the network one line without control characters. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
