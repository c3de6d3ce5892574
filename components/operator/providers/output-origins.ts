const originForm = /^https?:\/\/[^\s?#/]+$/;

/** One per line. */
export function outputOriginsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** The problem with the lines, or true. */
export function outputOriginsProblem(text: string): string | true {
  const wrong = outputOriginsOf(text).find((line) => !originForm.test(line));
  return (
    wrong === undefined || `${wrong} is not an origin. Write it like http://10.0.0.5:9000, without a path.`
  );
}
