/** A share 0..1 as an SVG length; the same text on the server and in the browser. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
