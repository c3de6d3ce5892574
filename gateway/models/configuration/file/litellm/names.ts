/** An id for a provider's name of a model: the name itself if it can be one, as `vendor/model` can. */
export function modelIdOf(prefix: string, name: string): string {
  const word = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[^a-z0-9]+/, "") || "model";
  const [vendor = "", ...rest] = name.split("/");
  const [namespace, last] = rest.length > 0 ? [vendor, rest.join("-")] : [prefix, name];
  return `${word(namespace).slice(0, 60)}/${word(last).slice(0, 120)}`;
}

/** The wanted name, or the first free one with a number after it. */
export function numbered(wanted: string, separator: string, isTaken: (name: string) => boolean): string {
  let [name, number] = [wanted, 1];
  while (isTaken(name)) {
    number += 1;
    name = `${wanted}${separator}${number}`;
  }
  return name;
}

/** The host of an address as a part of a name. */
export function hostOf(base: string): string {
  return (URL.parse(base)?.host ?? "server").replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
}

const maxNamed = 5;

/** Some of the names, and how many more there are. */
export function shortList(names: readonly string[]): string {
  const others = names.length - maxNamed;
  return [...names.slice(0, maxNamed), ...(others > 0 ? [`${others} more`] : [])].join(", ");
}
