/** The line of a `.env` file that holds a secret: `NAME=value` and a line break. */
export function envLine(name: string, secret: string): string {
  return `${name}=${secret}\n`;
}
