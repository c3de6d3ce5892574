/** The anchor of a heading, as GitHub makes it, so that links in `docs/` work there and in the console. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}
