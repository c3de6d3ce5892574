import "server-only";
import { format, stripVTControlCharacters } from "node:util";

/** Log levels, as the gateway's numbers. */
const levels = { error: 50, warn: 40, info: 30, log: 30, debug: 20 } as const;
type Method = keyof typeof levels;

const maxCharacters = 10_000;
/** Control and format characters. They could start a line, control a terminal or reverse text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Turns every call of `target` into one line of JSON, like the gateway's log. Next prints error messages that
 * quote the request, so a message could otherwise start a new line or send an escape sequence to the
 * terminal.
 */
export function logAsLines(target: Console, write: (line: string) => void): void {
  for (const method of Object.keys(levels) as Method[])
    target[method] = (...parts: unknown[]) => write(`${lineOf(method, parts)}\n`);
}

function lineOf(method: Method, parts: unknown[]): string {
  const msg = stripVTControlCharacters(format(...parts)).slice(0, maxCharacters);
  const line = JSON.stringify({ level: levels[method], time: Date.now(), name: "console", msg });
  return line.replace(unprintable, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
