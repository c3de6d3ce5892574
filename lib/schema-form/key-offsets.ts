/** Where a key stands in a text: from its opening quote to behind the closing one. */
export interface KeyPlace {
  start: number;
  end: number;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Level {
  /** Null in an object. */
  index: number | null;
  /** The key that was read last. */
  key: string;
  expectsKey: boolean;
}

/** Where the keys at these paths stand in a text that is JSON; of a key that is there twice, the one that counts. */
export function keyPlaces(
  text: string,
  paths: readonly (readonly (string | number)[])[],
): (KeyPlace | null)[] {
  const wanted = new Map(paths.map((path, at) => [JSON.stringify(path), at]));
  const deepest = Math.max(0, ...paths.map(({ length }) => length));
  const found: (KeyPlace | null)[] = paths.map(() => null);
  const levels: Level[] = [];
  for (const match of text.matchAll(token)) {
    const [read] = match;
    const level = levels.at(-1);
    if (read === "{") levels.push({ index: null, key: "", expectsKey: true });
    else if (read === "[") levels.push({ index: 0, key: "", expectsKey: false });
    else if (read === "}" || read === "]") levels.pop();
    else if (read === "," && level) {
      if (level.index === null) level.expectsKey = true;
      else level.index += 1;
    } else if (level?.expectsKey && read.startsWith('"')) {
      level.key = String(JSON.parse(read));
      level.expectsKey = false;
      if (levels.length > deepest) continue;
      const at = wanted.get(JSON.stringify(levels.map(({ index, key }) => index ?? key)));
      if (at !== undefined) found[at] = { start: match.index, end: match.index + read.length };
    }
  }
  return found;
}
