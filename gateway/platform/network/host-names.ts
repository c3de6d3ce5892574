/** Names that mean "inside", whatever they resolve to today. */
const insideNames = [
  "localhost",
  "local",
  "internal",
  "localdomain",
  "home.arpa",
  "lan",
  "intranet",
  "corp",
  "svc",
];
const metadataNames = ["metadata.goog", "instance-data"];

/** Why a host name is refused before it is resolved; null when it may be. `host` has no trailing dots. */
export function refusedHostName(host: string): string | null {
  const name = host.toLowerCase();
  const inside = [...insideNames, ...metadataNames].find(
    (suffix) => name === suffix || name.endsWith(`.${suffix}`),
  );
  if (inside) return `${host} is a name of a private network`;
  if (!name.includes(".")) return `${host} has no domain`;
  return null;
}
